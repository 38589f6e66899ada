/** Bounds that keep one reader or writer from hurting others (P8, F122). */
export interface LogLimits {
  /** How far a reader that was up to date may fall behind, in bytes. Default 2 MiB. Three quarters of it is warned of. */
  readonly maxLagBytes: number;
  /** How long a reader may stay over that limit before it is cut, in milliseconds. Default 3,000. */
  readonly lagGraceMs: number;
  /** How much one `take()` gives at most, in bytes; one event may be larger. Default 64 KiB. */
  readonly maxTakeBytes: number;
  /** Subscribers of one session in this process. Default 256. */
  readonly maxSubscribers: number;
  /** What may wait to be written, in bytes. Default 64 MiB. */
  readonly maxPendingBytes: number;
}

export const DEFAULT_LOG_LIMITS: LogLimits = {
  maxLagBytes: 2 * 1024 * 1024,
  lagGraceMs: 3000,
  maxTakeBytes: 64 * 1024,
  maxSubscribers: 256,
  maxPendingBytes: 64 * 1024 * 1024,
};
