import { type ControlFrame, type ControlLine, type ControlScope, toControlLine } from '../control-frames.js';
import type { ControlHandlers } from '../control-handlers.js';
import {
  CONTROL_REQUESTS,
  type ControlPayload,
  type ControlResult,
  type OtherSide,
  type Side,
  type SubtypeAskedBy,
} from '../control-requests.js';
import { AgentError } from '../errors.js';
import { DEFAULT_TIMEOUTS, type Timeouts } from '../options.js';
import { AskedRequests } from './asked-requests.js';
import type { ControlTracer } from './control-tracer.js';
import { ServedRequests, type UncheckedHandler } from './served-requests.js';

/** Default limit of concurrent requests of the other side. */
const DEFAULT_MAX_IN_FLIGHT = 1024;

export interface ControlPeerOptions<S extends Side> {
  readonly side: S;
  readonly handlers: ControlHandlers<OtherSide<S>>;
  /** Writes one line, in order. If it throws, the request or answer it carried fails. */
  readonly send: (line: ControlLine) => void;
  /** Default: the strict form of {@link toControlLine}. */
  readonly toLine?: (frame: ControlFrame) => ControlLine;
  /** Timeouts of our requests, in milliseconds. Default {@link DEFAULT_TIMEOUTS}; 0 means none. */
  readonly timeouts?: Timeouts;
  /** More concurrent requests are answered with `overloaded`. Default 1,024. */
  readonly maxInFlight?: number;
  /**
   * Receives protocol errors of the other side (`late_response`, `unexpected_response`) and failed sends. Must not
   * throw.
   */
  readonly onProblem?: (error: AgentError) => void;
  /** Traces the requests of both sides. Default: none. */
  readonly tracer?: ControlTracer | undefined;
}

export interface RequestOptions {
  /** Aborting rejects the request with `cancelled` and withdraws it. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds; 0 means none. */
  readonly timeoutMs?: number | undefined;
  /** The session and prompt of the question. */
  readonly place?: ControlScope | undefined;
}

/**
 * One end of the control channel. Each request settles exactly once: with its answer, a typed error, its timeout,
 * its withdrawal or the end of the channel. `accept` never waits for a handler.
 */
export class ControlPeer<S extends Side> {
  readonly #side: S;
  readonly #asked: AskedRequests;
  readonly #served: ServedRequests;
  readonly #tracer: ControlTracer | undefined;
  #timeouts: Readonly<Timeouts> = {};
  #closeReason: AgentError | undefined;

  constructor(options: ControlPeerOptions<S>) {
    const onProblem = options.onProblem ?? (() => undefined);
    const toLine = options.toLine ?? toControlLine;
    const send = (frame: ControlFrame): void => options.send(toLine(frame));
    // The table's schema checks each payload first.
    const handlers: Readonly<Record<string, UncheckedHandler>> = options.handlers as never;
    this.#side = options.side;
    this.#asked = new AskedRequests({ send, onProblem });
    this.#served = new ServedRequests({
      findHandler: (subtype) => (Object.hasOwn(handlers, subtype) ? handlers[subtype] : undefined),
      send,
      onProblem,
      maxInFlight: options.maxInFlight ?? DEFAULT_MAX_IN_FLIGHT,
      tracer: options.tracer,
    });
    this.#tracer = options.tracer;
    if (options.timeouts !== undefined) this.setTimeouts(options.timeouts);
  }

  get pendingCount(): number {
    return this.#asked.size;
  }

  get runningCount(): number {
    return this.#served.size;
  }

  get closed(): boolean {
    return this.#closeReason !== undefined;
  }

  /**
   * Sends a request. Rejects with an {@link AgentError}: the other side's, `timeout`, `cancelled` (by `signal`),
   * `invalid_payload` (the answer does not match the table) or the reason of `close`.
   */
  async request<T extends SubtypeAskedBy<S>>(
    subtype: T,
    payload: ControlPayload<T>,
    options: RequestOptions = {},
  ): Promise<ControlResult<T>> {
    if (this.#closeReason !== undefined) {
      throw new AgentError('channel_closed', `Cannot send ${subtype}: the channel is closed.`, {
        cause: this.#closeReason,
      });
    }
    const spec = CONTROL_REQUESTS[subtype];
    const span = this.#tracer?.ask({ subtype, payload });
    try {
      const result = await this.#asked.ask({
        requestId: `${this.#side}-${crypto.randomUUID()}`,
        subtype,
        spec,
        payload,
        timeoutMs: options.timeoutMs ?? this.#deadlineMs(spec.deadline),
        signal: options.signal,
        place: options.place,
        trace: span?.context,
      });
      span?.end();
      return result as ControlResult<T>;
    } catch (thrown) {
      span?.end(AgentError.from(thrown));
      throw thrown;
    }
  }

  /** Takes a control line. Synchronous, never throws; answers settle before it returns. */
  accept(frame: ControlFrame): void {
    if (this.closed) return;
    switch (frame.kind) {
      case 'request':
        this.#served.serve(frame);
        return;
      case 'response':
        this.#asked.answer(frame);
        return;
      case 'cancel':
        this.#served.cancel(frame.requestId);
        return;
    }
  }

  setTimeouts(timeouts: Timeouts): void {
    this.#timeouts = { ...this.#timeouts, ...timeouts };
  }

  /**
   * Closes the channel: rejects pending requests, aborts running handlers, sends nothing. Only the first call
   * counts.
   */
  close(reason: AgentError): void {
    if (this.closed) return;
    this.#closeReason = reason;
    this.#asked.rejectAll(reason);
    this.#served.abortAll(reason);
  }

  /** `initialize` uses the general timeout unless it has its own. */
  #deadlineMs(deadline: keyof Timeouts): number {
    const general = deadline === 'initialize' ? this.#timeouts.controlRequest : undefined;
    return this.#timeouts[deadline] ?? general ?? DEFAULT_TIMEOUTS[deadline];
  }
}
