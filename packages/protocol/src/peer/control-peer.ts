import { type ControlFrame, type ControlLine, type ControlPlace, toControlLine } from '../control-frames.js';
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

/** How many requests of the other side may run at once where nothing else is configured. */
const DEFAULT_MAX_IN_FLIGHT = 1024;

export interface ControlPeerOptions<S extends Side> {
  /** The side that we are. */
  readonly side: S;
  /** One handler for each request that the other side may send. */
  readonly handlers: ControlHandlers<OtherSide<S>>;
  /** Writes one line, in order. It may throw: then the request or answer that it carried fails. */
  readonly send: (line: ControlLine) => void;
  /** How a frame is written. Default: the strict form of {@link toControlLine}. */
  readonly toLine?: (frame: ControlFrame) => ControlLine;
  /** Deadlines in milliseconds for what we ask. Default {@link DEFAULT_TIMEOUTS}; 0 means for ever. */
  readonly timeouts?: Timeouts;
  /** More requests of the other side at once than this are answered `overloaded`. Default 1,024. */
  readonly maxInFlight?: number;
  /** Hears what the other side did wrong (`late_response`, `unexpected_response`) and failed sends. Must not throw. */
  readonly onProblem?: (error: AgentError) => void;
  /** Follows the requests of both sides. Default: nobody does. */
  readonly tracer?: ControlTracer | undefined;
}

export interface RequestOptions {
  /** Aborting it rejects the request with `cancelled` and withdraws it from the other side. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds; 0 means for ever. Default: the deadline that the table names. */
  readonly timeoutMs?: number | undefined;
  /** The session and the prompt that the question is about, for forms of lines that tell them. */
  readonly place?: ControlPlace | undefined;
}

/**
 * One end of the control channel: serves what the other side asks and asks what this side may ask.
 *
 * Each request settles exactly once: with its answer, a typed error, its deadline, its withdrawal or the end of the
 * channel. `accept` never waits for a handler, so a handler may itself ask anything. The asker owns the one clock;
 * when it ends, the other side's handler is aborted. Whoever made the peer closes it.
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
    // The table's schema checks each payload before its handler sees it.
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

  /** Requests of this side that still wait for their answer. */
  get pendingCount(): number {
    return this.#asked.size;
  }

  /** Requests of the other side whose handlers still run. */
  get runningCount(): number {
    return this.#served.size;
  }

  get closed(): boolean {
    return this.#closeReason !== undefined;
  }

  /**
   * Asks the other side. Rejects with an {@link AgentError}: the one that the other side sent, `timeout`,
   * `cancelled` (by `signal`), `invalid_payload` (the answer does not fit the table) or the reason of `close`.
   */
  async request<T extends SubtypeAskedBy<S>>(
    subtype: T,
    payload: ControlPayload<T>,
    options: RequestOptions = {},
  ): Promise<ControlResult<T>> {
    if (this.#closeReason !== undefined) {
      throw new AgentError('channel_closed', `${subtype} was asked after the channel had closed.`, {
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

  /** Takes a control line of the other side. Synchronous, never throws; answers settle before it returns. */
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

  /** Sets the deadlines of requests asked from now on; those not named keep their value. */
  setTimeouts(timeouts: Timeouts): void {
    this.#timeouts = { ...this.#timeouts, ...timeouts };
  }

  /** Ends the channel: rejects all that wait, aborts all that run, sends nothing. Only the first call counts. */
  close(reason: AgentError): void {
    if (this.closed) return;
    this.#closeReason = reason;
    this.#asked.rejectAll(reason);
    this.#served.abortAll(reason);
  }

  /** `initialize` is a control request like others unless it has its own deadline. */
  #deadlineMs(deadline: keyof Timeouts): number {
    const general = deadline === 'initialize' ? this.#timeouts.controlRequest : undefined;
    return this.#timeouts[deadline] ?? general ?? DEFAULT_TIMEOUTS[deadline];
  }
}
