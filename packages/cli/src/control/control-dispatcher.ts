import {
  AgentError,
  type ControlFrame,
  type ControlHandlers,
  type ControlLine,
  type ControlPayload,
  ControlPeer,
  type ControlResult,
  type ControlTracer,
  type RequestOptions,
  type SubtypeAskedBy,
  type Timeouts,
} from '@qwen/protocol';
import type { AppChannel } from './control-context.js';
import type { Controller, InitializePart } from './controllers/controller.js';

export interface ControlDispatcherOptions {
  /** One handler for each request of the app, joined from the controllers; a missing one does not compile. */
  readonly handlers: ControlHandlers<'app'>;
  /** Every controller; each one hears of `initialize`. */
  readonly controllers: readonly Controller[];
  readonly send: (line: ControlLine) => void;
  /** How control lines are written. Default: the strict form. */
  readonly toLine?: (frame: ControlFrame) => ControlLine;
  readonly onProblem?: (error: AgentError) => void;
  /** Follows the requests of both sides. Default: nobody does. */
  readonly tracer?: ControlTracer;
}

/** Owns the peer and routes each request to its controller by subtype (N-03, N-06). */
export class ControlDispatcher implements AppChannel {
  readonly #peer: ControlPeer<'agent'>;
  readonly #inputEnd = new AbortController();

  constructor(options: ControlDispatcherOptions) {
    const { handlers, controllers, send, toLine, onProblem, tracer } = options;
    this.#peer = new ControlPeer({
      side: 'agent',
      handlers: {
        ...handlers,
        initialize(payload, context) {
          // First whoever may refuse by throwing: then nobody has changed anything. The answer comes last: it tells what
          // holds now. All in one step, so that a prompt on the next line finds everything in place.
          for (const controller of controllers) controller.checkInitialize?.(payload);
          for (const controller of controllers) controller.onInitialize?.(payload);
          return joinParts(handlers.initialize(payload, context), controllers);
        },
      },
      send,
      ...(toLine !== undefined && { toLine }),
      ...(onProblem !== undefined && { onProblem }),
      ...(tracer !== undefined && { tracer }),
    });
  }

  /** Takes a control line of the app. Synchronous; never throws and never waits for a handler. */
  accept(frame: ControlFrame): void {
    this.#peer.accept(frame);
  }

  async ask<T extends SubtypeAskedBy<'agent'>>(
    subtype: T,
    payload: ControlPayload<T>,
    options: RequestOptions = {},
  ): Promise<ControlResult<T>> {
    const inputEnd = this.#inputEnd.signal;
    const signal = options.signal === undefined ? inputEnd : AbortSignal.any([options.signal, inputEnd]);
    try {
      return await this.#peer.request(subtype, payload, { ...options, signal });
    } catch (thrown) {
      throw inputEnd.aborted ? inputClosed() : thrown;
    }
  }

  setTimeouts(timeouts: Timeouts): void {
    this.#peer.setTimeouts(timeouts);
  }

  /** No answer can come any more: what we ask fails at once (F25), what the app asked is still answered. */
  endInput(): void {
    this.#inputEnd.abort(inputClosed());
  }

  /** Ends both directions. */
  close(): void {
    this.#peer.close(new AgentError('channel_closed', 'The session has ended.'));
  }
}

function inputClosed(): AgentError {
  return new AgentError('channel_closed', 'Input closed');
}

type Answer = ReturnType<ControlHandlers<'app'>['initialize']>;

/** Nobody waits where no controller has anything to add, which is the usual case. */
function joinParts(answer: Answer, controllers: readonly Controller[]): Answer {
  const parts = controllers.map((controller) => controller.answerInitialize?.()).filter((part) => part !== undefined);
  if (parts.length === 0) return answer;
  return Promise.all([answer, Promise.all(parts)]).then(([whole, more]) =>
    more.reduce<InitializePart>((joined, part) => ({ ...joined, ...part }), whole),
  );
}
