import type { ControlFrame } from '../control-frames.js';
import type { ControlHandlerContext } from '../control-handlers.js';
import { findControlRequest } from '../control-requests.js';
import { describeIssue } from '../describe-issue.js';
import { AgentError } from '../errors.js';
import { isJsonObject } from '../json-object.js';
import type { ControlTracer } from './control-tracer.js';
import { RecentIds } from './recent-ids.js';

type Request = Extract<ControlFrame, { kind: 'request' }>;

/** A handler whose payload is already validated. */
export type UncheckedHandler = (payload: unknown, context: ControlHandlerContext) => unknown;

export interface ServedRequestsOptions {
  readonly findHandler: (subtype: string) => UncheckedHandler | undefined;
  readonly send: (frame: ControlFrame) => void;
  readonly onProblem: (error: AgentError) => void;
  readonly maxInFlight: number;
  readonly tracer: ControlTracer | undefined;
}

interface Running {
  readonly request: Request;
  readonly controller: AbortController;
}

interface Runnable {
  readonly handler: UncheckedHandler;
  readonly payload: unknown;
}

/** Running requests of the other side. Each is answered exactly once, unless the channel closes. */
export class ServedRequests {
  readonly #options: ServedRequestsOptions;
  readonly #running = new Map<string, Running>();
  readonly #ended = new RecentIds<true>();

  constructor(options: ServedRequestsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#running.size;
  }

  /** Starts the handler immediately and does not wait for it. */
  serve(request: Request): void {
    const runnable = this.#check(request);
    if (AgentError.is(runnable)) this.#answer(request, runnable);
    else void this.#run(request, runnable);
  }

  /** Aborts withdrawn requests (all without an id) and confirms; unknown ids are ignored. */
  cancel(requestId: string | undefined): void {
    const ids = requestId === undefined ? [...this.#running.keys()] : [requestId];
    for (const id of ids) {
      const reason = new AgentError('cancelled', 'Request cancelled');
      const request = this.#abort(id, reason);
      if (request !== undefined) this.#answer(request, reason);
    }
  }

  /** Aborts everything without answering. */
  abortAll(reason: AgentError): void {
    for (const id of this.#running.keys()) this.#abort(id, reason);
  }

  #check(request: Request): Runnable | AgentError {
    const { requestId, subtype } = request;
    // Rejected: a tool must never run twice for one question.
    if (this.#running.has(requestId) || this.#ended.get(requestId) !== undefined) {
      return new AgentError('duplicate_request', `The request id ${requestId} was used before.`);
    }
    const spec = findControlRequest(subtype);
    const handler = this.#options.findHandler(subtype);
    if (spec === undefined || handler === undefined) {
      return new AgentError('unknown_subtype', `Unknown control request subtype: ${subtype}`, { data: { subtype } });
    }
    if (this.#running.size >= this.#options.maxInFlight) {
      return new AgentError('overloaded', `More than ${this.#options.maxInFlight} requests are in flight.`);
    }
    const raw = isJsonObject(request.payload)
      ? (spec.fromOlderPayload?.(request.payload, requestId) ?? request.payload)
      : request.payload;
    const parsed = spec.payload.safeParse(raw);
    if (parsed.success) return { handler, payload: parsed.data };
    return new AgentError('invalid_payload', describeIssue(subtype, parsed.error), { data: { subtype } });
  }

  async #run(request: Request, { handler, payload }: Runnable): Promise<void> {
    const { requestId, sessionId } = request;
    const controller = new AbortController();
    this.#running.set(requestId, { request, controller });
    const context = { requestId, signal: controller.signal, ...(sessionId !== undefined && { sessionId }) };
    let answer: AgentError | { result: unknown };
    try {
      answer = { result: await this.#trace(request, controller.signal, () => handler(payload, context)) };
    } catch (thrown) {
      answer = AgentError.from(thrown, 'handler_failed');
    }
    // Withdrawn or closed meanwhile.
    if (this.#running.get(requestId)?.controller !== controller) return;
    this.#running.delete(requestId);
    this.#ended.add(requestId, true);
    this.#answer(request, answer);
  }

  #trace({ subtype, trace }: Request, signal: AbortSignal, run: () => unknown): unknown {
    const { tracer } = this.#options;
    return tracer === undefined ? run() : tracer.serve({ subtype, trace, signal }, run);
  }

  /** Undefined if it is not running. */
  #abort(requestId: string, reason: AgentError): Request | undefined {
    const running = this.#running.get(requestId);
    if (running === undefined) return undefined;
    this.#running.delete(requestId);
    this.#ended.add(requestId, true);
    running.controller.abort(reason);
    return running.request;
  }

  #answer(request: Request, answer: AgentError | { result: unknown }): void {
    const { requestId, sessionId, promptId } = request;
    const place = { ...(sessionId !== undefined && { sessionId }), ...(promptId !== undefined && { promptId }) };
    try {
      this.#options.send(
        AgentError.is(answer)
          ? { kind: 'response', requestId, ok: false, error: answer, ...place }
          : { kind: 'response', requestId, ok: true, result: answer.result, ...place },
      );
    } catch (thrown) {
      const problem = AgentError.from(thrown, 'channel_closed');
      this.#options.onProblem(problem);
      // A result without a JSON form becomes an error, or the requester would wait for its timeout.
      if (!AgentError.is(answer)) this.#answer(request, new AgentError('handler_failed', problem.message));
    }
  }
}
