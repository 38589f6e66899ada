import type { ControlFrame, ControlScope } from '../control-frames.js';
import type { ControlRequestSpec } from '../control-requests.js';
import { describeIssue } from '../describe-issue.js';
import { AgentError } from '../errors.js';
import { isJsonObject } from '../json-object.js';
import type { TraceContext } from '../trace-context.js';
import { startDeadline } from './deadline-timer.js';
import { RecentIds } from './recent-ids.js';

type Response = Extract<ControlFrame, { kind: 'response' }>;
type Ending = 'answered' | 'timed out' | 'withdrawn';

interface Pending {
  readonly subtype: string;
  readonly spec: ControlRequestSpec;
  readonly settle: (ending: Ending, outcome: AgentError | { result: unknown }) => void;
}

export interface AskedRequestsOptions {
  readonly send: (frame: ControlFrame) => void;
  readonly onProblem: (error: AgentError) => void;
}

export interface AskOptions {
  readonly requestId: string;
  readonly subtype: string;
  readonly spec: ControlRequestSpec;
  readonly payload: unknown;
  /** Milliseconds; 0 means none. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly place: ControlScope | undefined;
  readonly trace: TraceContext | undefined;
}

/** Pending requests of this side. Each settles exactly once. */
export class AskedRequests {
  readonly #options: AskedRequestsOptions;
  readonly #pending = new Map<string, Pending>();
  readonly #ended = new RecentIds<Ending>();

  constructor(options: AskedRequestsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#pending.size;
  }

  /**
   * Sends a request and resolves with a result that matches the table's schema. Errors of the other side and
   * timeouts have the request id in `data.askedAs`.
   */
  ask(options: AskOptions): Promise<unknown> {
    const { requestId, subtype, spec, payload, signal, trace } = options;
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(withdrawn(subtype, signal));
        return;
      }
      const withdraw = (ending: Ending, error: AgentError): void => {
        settle(ending, error);
        this.#trySend({ kind: 'cancel', requestId, ...options.place });
      };
      const onAbort = (): void => {
        if (signal !== undefined) withdraw('withdrawn', withdrawn(subtype, signal));
      };
      const stopTimer = startDeadline(options.timeoutMs, () => {
        const message = `${subtype} was not answered within ${options.timeoutMs} ms.`;
        withdraw('timed out', new AgentError('timeout', message, { data: { subtype, timeoutMs: options.timeoutMs } }));
      });
      const settle: Pending['settle'] = (ending, outcome) => {
        this.#pending.delete(requestId);
        this.#ended.add(requestId, ending);
        stopTimer();
        signal?.removeEventListener('abort', onAbort);
        if (AgentError.is(outcome)) reject(ending === 'withdrawn' ? outcome : named(outcome, requestId));
        else resolve(outcome.result);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#pending.set(requestId, { subtype, spec, settle });
      try {
        this.#options.send({ kind: 'request', requestId, subtype, payload, ...(trace && { trace }), ...options.place });
      } catch (thrown) {
        settle('withdrawn', AgentError.from(thrown, 'channel_closed'));
      }
    });
  }

  answer(response: Response): void {
    const pending = this.#pending.get(response.requestId);
    if (pending === undefined) this.#reportStray(response);
    else pending.settle('answered', response.ok ? readResult(pending, response.result) : response.error);
  }

  rejectAll(reason: AgentError): void {
    for (const pending of this.#pending.values()) pending.settle('withdrawn', reason);
  }

  #reportStray(response: Response): void {
    const { requestId } = response;
    const ending = this.#ended.get(requestId);
    // An error answer confirms a withdrawal.
    const confirms = !response.ok && response.error.code === 'cancelled';
    if (confirms && ending !== undefined && ending !== 'answered') return;
    const error =
      ending === undefined
        ? new AgentError('unexpected_response', `Received an answer to an unknown request: ${requestId}`, {
            data: { requestId },
          })
        : new AgentError(
            'late_response',
            `Ignored a late answer to ${requestId}, which had already ${ending === 'timed out' ? ending : `been ${ending}`}.`,
            {
              data: { requestId, ending },
            },
          );
    this.#options.onProblem(error);
  }

  #trySend(frame: ControlFrame): void {
    try {
      this.#options.send(frame);
    } catch (thrown) {
      this.#options.onProblem(AgentError.from(thrown, 'channel_closed'));
    }
  }
}

function readResult(pending: Pending, raw: unknown): AgentError | { result: unknown } {
  const { spec, subtype } = pending;
  const result = isJsonObject(raw) && spec.fromOlderResult !== undefined ? spec.fromOlderResult(raw) : raw;
  const parsed = spec.result.safeParse(result);
  if (parsed.success) return { result: parsed.data };
  return new AgentError('invalid_payload', describeIssue(`${subtype}.response`, parsed.error), { data: { subtype } });
}

function named({ code, message, data, cause }: AgentError, requestId: string): AgentError {
  return new AgentError(code, message, {
    data: { ...data, askedAs: requestId },
    ...(cause !== undefined && { cause }),
  });
}

function withdrawn(subtype: string, signal: AbortSignal): AgentError {
  return new AgentError('cancelled', `${subtype} was withdrawn.`, { cause: signal.reason, data: { subtype } });
}
