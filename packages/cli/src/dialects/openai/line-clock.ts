/** The time of lines. It never goes back along the stream, whatever the clock of the machine does (B-05). */
export interface LineClock {
  /** Since 1970; whole seconds. */
  seconds(): number;
  /** Since 1970; whole milliseconds. */
  milliseconds(): number;
}

/** One for each output: all of its lines share it. `now` gives milliseconds since 1970. */
export function createLineClock(now: () => number): LineClock {
  let latestMs = 0;
  const milliseconds = (): number => {
    latestMs = Math.max(latestMs, Math.floor(now()));
    return latestMs;
  };
  return { milliseconds, seconds: () => Math.floor(milliseconds() / 1000) };
}
