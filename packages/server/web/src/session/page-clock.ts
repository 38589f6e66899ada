/** What the page has of the world; tests bring their own. */
export interface PageClock {
  /** Calls back at the next moment that is worth drawing. */
  readonly nextFrame: (callback: () => void) => void;
  /** Resolves after so many milliseconds, or when it is worth trying at once. Rejects when the signal fires. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Between 0 and 1. */
  readonly random: () => number;
}
