/** Time and visibility; replaced in tests. */
export interface PageClock {
  readonly nextFrame: (callback: () => void) => void;
  /** Resolves after the time, or earlier if a retry is promising. Rejects when the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /**
   * Aborts when the page was hidden for a minute and may rest, since browsers limit the connections per server. Also
   * aborts with `signal`.
   */
  readonly hiddenSignal: (mayRest: () => boolean, signal: AbortSignal) => AbortSignal;
  readonly untilVisible: (signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
}
