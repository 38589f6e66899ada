import type { ModelPart, ModelRequest } from './parts.js';

export interface StreamOptions {
  /** Ends the answer: the stream yields `failure` with code `aborted` and closes the connection. */
  readonly signal: AbortSignal;
}

/**
 * One model behind one provider.
 *
 * Contract of `stream`: never throws and never rejects, failures are parts; makes no request before the first
 * `next()`; leaving the loop early closes the connection; pulls from the network only as fast as it is read.
 */
export interface Model {
  stream(request: ModelRequest, options: StreamOptions): AsyncIterable<ModelPart>;
}

/** When to give up on a provider. Times are in milliseconds. */
export interface ModelLimits {
  /** From the request to the first byte of the answer. Default 60 000. */
  readonly responseTimeoutMs: number;
  /** Between two pieces of the answer that carry content. Default 120 000 (F69). */
  readonly idleTimeoutMs: number;
  /** Calls in all, the first included. Default 5 (F61). */
  readonly maxAttempts: number;
  /** The longest `Retry-After` that we sit out by ourselves. Default 60 000 (F59). */
  readonly maxRetryAfterMs: number;
}

export const DEFAULT_MODEL_LIMITS: ModelLimits = {
  responseTimeoutMs: 60_000,
  idleTimeoutMs: 120_000,
  maxAttempts: 5,
  maxRetryAfterMs: 60_000,
};
