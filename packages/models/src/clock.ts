/** A source of time and randomness that tests can replace. */
export interface ModelClock {
  /** Epoch milliseconds; only used for HTTP dates. */
  wallMs(): number;
  /** In [0, 1). */
  random(): number;
  /** Starts a timer and returns a function that cancels it. */
  startTimer(ms: number, callback: () => void): () => void;
}

export const systemClock: ModelClock = {
  wallMs: () => Date.now(),
  random: () => Math.random(),
  startTimer(ms, callback) {
    const timeout = setTimeout(callback, ms);
    return () => clearTimeout(timeout);
  },
};
