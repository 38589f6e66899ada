export interface LogLimits {
  /** Lag at which a live reader is cut; it is warned at three quarters. Default 2 MiB. */
  readonly maxLagBytes: number;
  /** How long a reader may exceed it. Default 3,000. */
  readonly lagGraceMs: number;
  /** Size of one `take()`; a single event may exceed it. Default 64 KiB. */
  readonly maxTakeBytes: number;
  /** Per session and process. Default 256. */
  readonly maxSubscribers: number;
  /** Default 64 MiB. */
  readonly maxPendingBytes: number;
}

export const DEFAULT_LOG_LIMITS: LogLimits = {
  maxLagBytes: 2 * 1024 * 1024,
  lagGraceMs: 3000,
  maxTakeBytes: 64 * 1024,
  maxSubscribers: 256,
  maxPendingBytes: 64 * 1024 * 1024,
};
