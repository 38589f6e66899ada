/** Times of lines; never decreases, even if the system clock does. */
export interface LineClock {
  /** Unix time. */
  seconds(): number;
  /** Unix time. */
  milliseconds(): number;
}

/** Shared by all lines of an output. `now` returns Unix milliseconds. */
export function createLineClock(now: () => number): LineClock {
  let latestMs = 0;
  const milliseconds = (): number => {
    latestMs = Math.max(latestMs, Math.floor(now()));
    return latestMs;
  };
  return { milliseconds, seconds: () => Math.floor(milliseconds() / 1000) };
}
