import type { ModelPart, ModelRequest } from './parts.js';

export interface StreamOptions {
  /** The stream then yields `failure` with code `aborted`. */
  readonly signal: AbortSignal;
}

/**
 * `stream` never throws or rejects: failures are parts. It sends the request with the first `next()`, closes the
 * connection when the loop ends early, and reads only as fast as the consumer.
 */
export interface Model {
  stream(request: ModelRequest, options: StreamOptions): AsyncIterable<ModelPart>;
}

/** When to give up on a provider, in milliseconds. */
export interface ModelLimits {
  /** From the request to the first byte. Default 60,000. */
  readonly responseTimeoutMs: number;
  /** Between two chunks with content. Default 120,000. */
  readonly idleTimeoutMs: number;
  /** Including the first call. Default 5. */
  readonly maxAttempts: number;
  /** The longest accepted `Retry-After`. Default 60,000. */
  readonly maxRetryAfterMs: number;
}

export const DEFAULT_MODEL_LIMITS: ModelLimits = {
  responseTimeoutMs: 60_000,
  idleTimeoutMs: 120_000,
  maxAttempts: 5,
  maxRetryAfterMs: 60_000,
};
