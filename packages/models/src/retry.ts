import type { AgentError } from '@qwen/protocol';
import type { ModelLimits } from './model.js';

/** Doubles with each attempt. */
const FIRST_CEILING_MS = 1_000;
const HIGHEST_CEILING_MS = 20_000;
/** Full jitter could be close to zero. */
const SHORTEST_DELAY_MS = 200;
/** An address that never answered is probably wrong: wait for it only this long. */
const UNKNOWN_ADDRESS_MS = 20_000;
const UNKNOWN_ADDRESS = /^(ECONNREFUSED|ENOTFOUND|EAI_|E(HOST|NET)UNREACH|EPROTO|ERR_SSL_)/;
/** Retries after a limit of time, each of which took minutes. */
const MAX_SLOW_RETRIES = 2;
/** Retries of an answer that broke off, each of which costs tokens, and of a body that is no answer. */
const MAX_BROKEN_RETRIES = 5;
/** Retries of a failure that will probably repeat. */
const MAX_REPEATED_RETRIES = 2;
/** Retries of an overload when another model can answer. */
const MAX_OVERLOAD_RETRIES = 2;

export interface FailedCall {
  readonly error: AgentError;
  /** Content was emitted. */
  readonly emitted: boolean;
  /** Whether the address answered before, with whatever status. */
  readonly hasAnswered: boolean;
  /** In [0, 1). */
  readonly random: number;
}

export interface RetryOptions {
  readonly limits: ModelLimits;
  /** Another model can answer instead. */
  readonly hasFallback: boolean;
}

/** Decides about the retries of one request. */
export class RetryPlan {
  readonly #options: RetryOptions;
  #attempt = 0;
  #waitedMs = 0;
  #slow = 0;
  #broken = 0;
  #repeated = 0;
  #overloaded = 0;

  constructor(options: RetryOptions) {
    this.#options = options;
  }

  /** Calls that failed. */
  get attempt(): number {
    return this.#attempt;
  }

  /** Undefined to give up: the error is permanent, the time is used up, or the provider asks for a longer delay. */
  nextDelayMs(failed: FailedCall): number | undefined {
    this.#attempt += 1;
    const leftMs = this.#timeFor(failed) - this.#waitedMs;
    if (leftMs <= 0 || !this.#mayRetry(failed)) return undefined;
    const longestMs = Math.min(this.#options.limits.maxRetryAfterMs, leftMs);
    const askedMs = askedDelayMs(failed.error, longestMs);
    if (askedMs !== undefined && askedMs > longestMs) return undefined;
    const delayMs = askedMs ?? Math.min(this.#backoffMs(failed.random), leftMs);
    const wholeMs = Math.max(Math.ceil(delayMs), SHORTEST_DELAY_MS);
    this.#waitedMs += wholeMs;
    return wholeMs;
  }

  #timeFor({ error, hasAnswered }: FailedCall): number {
    const { retryTimeMs } = this.#options.limits;
    const isUnknown = !hasAnswered && UNKNOWN_ADDRESS.test(String(error.data['systemCode']));
    return isUnknown ? Math.min(UNKNOWN_ADDRESS_MS, retryTimeMs) : retryTimeMs;
  }

  #mayRetry({ error, emitted }: FailedCall): boolean {
    if (!error.retryable || error.data['permanent'] === true) return false;
    if (emitted || isBroken(error)) this.#broken += 1;
    if (error.data['willRepeat'] === true) this.#repeated += 1;
    if (error.data['limit'] !== undefined) this.#slow += 1;
    if (isOverload(error)) this.#overloaded += 1;
    if (this.#broken > MAX_BROKEN_RETRIES || this.#slow > MAX_SLOW_RETRIES) return false;
    if (this.#repeated > MAX_REPEATED_RETRIES) return false;
    return !this.#options.hasFallback || this.#overloaded <= MAX_OVERLOAD_RETRIES;
  }

  #backoffMs(random: number): number {
    const ceiling = Math.min(HIGHEST_CEILING_MS, FIRST_CEILING_MS * 2 ** (this.#attempt - 1));
    return ceiling / 2 + (random * ceiling) / 2;
  }
}

/** A time that the provider only mentions counts if it is acceptable. */
function askedDelayMs({ data }: AgentError, longestMs: number): number | undefined {
  const { retryAfterSeconds: asked, resetSeconds: mentioned } = data;
  if (typeof asked === 'number') return asked * 1_000;
  return typeof mentioned === 'number' && mentioned * 1_000 <= longestMs ? mentioned * 1_000 : undefined;
}

function isBroken({ code, data }: AgentError): boolean {
  return code === 'stream_interrupted' || code === 'bad_model_response' || data['isUnclear'] === true;
}

function isOverload({ code, data: { status } }: AgentError): boolean {
  return code === 'rate_limited' || code === 'overloaded' || status === 503 || status === 529;
}
