import type { Usage } from '@qwen/protocol';
import type { ModelPart, ModelRequest } from './parts.js';

export interface StreamOptions {
  /** The stream then yields `failure` with code `aborted`. */
  readonly signal: AbortSignal;
  /** Another model can answer instead, so an overload is not waited for long. Default false. */
  readonly hasFallback?: boolean;
  /**
   * Called with each count of the provider before the end, after the parts that arrived with it. Providers that count
   * only at the end never cause a call.
   */
  readonly onUsage?: (usage: Usage) => void;
}

/**
 * `stream` never throws or rejects: failures are parts. It sends the request with the first `next()`, closes the
 * connection when the loop ends early, and reads only as fast as the consumer.
 */
export interface Model {
  stream(request: ModelRequest, options: StreamOptions): AsyncIterable<ModelPart>;
}

/** When to give up on a provider, in milliseconds. 0 turns a limit off. */
export interface ModelLimits {
  /** From the request to the connection. Default 30,000. */
  readonly connectTimeoutMs: number;
  /** From the request to the first byte of the body. Default 300,000, or 600,000 in the local network. */
  readonly firstByteTimeoutMs: number;
  /** Between two reads of the connection; comments count. Default as for the first byte. */
  readonly idleTimeoutMs: number;
  /** From the request to the end of the answer. Default 3,600,000. */
  readonly totalTimeoutMs: number;
  /** Sum of the delays before retries, requested ones included; 0: no retries. Default 300,000. */
  readonly retryTimeMs: number;
  /** The longest delay that a provider may ask for. Default 300,000. */
  readonly maxRetryAfterMs: number;
}

export const DEFAULT_MODEL_LIMITS: ModelLimits = {
  connectTimeoutMs: 30_000,
  firstByteTimeoutMs: 300_000,
  idleTimeoutMs: 300_000,
  totalTimeoutMs: 3_600_000,
  retryTimeMs: 300_000,
  maxRetryAfterMs: 300_000,
};

/** Reading a long prompt takes minutes on one's own machine. */
const LOCAL_WAIT_MS = 600_000;
const LOCAL_HOST =
  /^(localhost|.+\.(localhost|local|lan|internal)|127(\.\d{1,3}){3}|10(\.\d{1,3}){3}|192\.168(\.\d{1,3}){2}|172\.(1[6-9]|2\d|3[01])(\.\d{1,3}){2}|0\.0\.0\.0|\[::1?\]|\[f[cd][\da-f:]+\]|[^.:]+)$/i;

export function limitsFor(baseUrl: string | undefined, given: Partial<ModelLimits> = {}): ModelLimits {
  const isLocal = baseUrl !== undefined && LOCAL_HOST.test(new URL(baseUrl).hostname);
  const local = { firstByteTimeoutMs: LOCAL_WAIT_MS, idleTimeoutMs: LOCAL_WAIT_MS };
  return { ...DEFAULT_MODEL_LIMITS, ...(isLocal && local), ...given };
}
