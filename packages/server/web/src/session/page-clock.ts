/** What the page has of the world; tests bring their own. */
export interface PageClock {
  /** Calls back at the next moment that is worth drawing. */
  readonly nextFrame: (callback: () => void) => void;
  /** Resolves after so many milliseconds, or when it is worth trying at once. Rejects when the signal fires. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /**
   * A signal that fires when nobody has looked at the page for a minute and it may rest: browsers keep few connections to
   * one server, and pages that nobody looks at would take them from the others. Over when the other signal fires.
   */
  readonly unseen: (mayRest: () => boolean, signal: AbortSignal) => AbortSignal;
  /** Resolves when somebody looks at the page. Rejects when the signal fires. */
  readonly untilVisible: (signal: AbortSignal) => Promise<void>;
  /** Between 0 and 1. */
  readonly random: () => number;
}
