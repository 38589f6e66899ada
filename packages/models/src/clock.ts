/** Time and chance as retries and watchdogs see them; tests bring their own. */
export interface ModelClock {
  /** Epoch milliseconds; read only to make sense of an HTTP date. */
  wallMs(): number;
  /** From 0 up to, but without, 1. */
  random(): number;
  /** Calls back once after `ms` milliseconds, unless the function that it returns is called before. */
  startTimer(ms: number, callback: () => void): () => void;
}

/** The clock of this machine. */
export const systemClock: ModelClock = {
  wallMs: () => Date.now(),
  random: () => Math.random(),
  startTimer(ms, callback) {
    const timeout = setTimeout(callback, ms);
    return () => clearTimeout(timeout);
  },
};
