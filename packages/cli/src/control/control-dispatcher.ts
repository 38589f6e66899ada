import {
  AgentError,
  type ControlFrame,
  type ControlHandlers,
  type ControlLine,
  type ControlPayload,
  ControlPeer,
  type ControlResult,
  type ControlTracer,
  defined,
  type RequestOptions,
  type SubtypeAskedBy,
  type Timeouts,
} from '@qwen/protocol';
import type { AppChannel, Controller, InitializePart } from './controllers/controller.js';

export interface ControlDispatcherOptions {
  readonly handlers: ControlHandlers<'app'>;
  readonly controllers: readonly Controller[];
  readonly send: (line: ControlLine) => void;
  /** Default: the strict form. */
  readonly toLine?: (frame: ControlFrame) => ControlLine;
  readonly onProblem?: (error: AgentError) => void;
  readonly tracer?: ControlTracer;
}

/** Owns the peer and routes each request to its controller by subtype. */
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
          // All checks run before any change. The answer comes last and reports the new state. Synchronous, so that a
          // prompt on the next line sees it.
          for (const controller of controllers) controller.checkInitialize?.(payload);
          for (const controller of controllers) controller.onInitialize?.(payload);
          return joinParts(handlers.initialize(payload, context), controllers);
        },
      },
      send,
      ...defined({ toLine, onProblem, tracer }),
    });
  }

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

  /** Our pending requests fail at once; requests of the app are still answered. */
  endInput(): void {
    this.#inputEnd.abort(inputClosed());
  }

  close(): void {
    this.#peer.close(new AgentError('channel_closed', 'The session has ended.'));
  }
}

function inputClosed(): AgentError {
  return new AgentError('channel_closed', 'Input closed');
}

type Answer = ReturnType<ControlHandlers<'app'>['initialize']>;

function joinParts(answer: Answer, controllers: readonly Controller[]): Answer {
  const parts = controllers.map((controller) => controller.answerInitialize?.()).filter((part) => part !== undefined);
  if (parts.length === 0) return answer;
  return Promise.all([answer, Promise.all(parts)]).then(([whole, more]) =>
    more.reduce<InitializePart>((joined, part) => ({ ...joined, ...part }), whole),
  );
}
