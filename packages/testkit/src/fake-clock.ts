/** A manual clock for the Clock port of `@qwen/agent`. */
export interface FakeClock {
  nowMs(): number;
  /** Wall clock as an ISO string, in step with `nowMs`. */
  isoTime(): string;
  advance(byMs: number): void;
}

/** Starts at `startsAt` (ISO, default 2030-01-01). */
export function createFakeClock(options: { readonly startsAt?: string } = {}): FakeClock {
  const startsAtMs = Date.parse(options.startsAt ?? '2030-01-01T00:00:00.000Z');
  let elapsedMs = 0;
  return {
    nowMs: () => elapsedMs,
    isoTime: () => new Date(startsAtMs + elapsedMs).toISOString(),
    advance(byMs) {
      if (!(byMs >= 0)) throw new RangeError('time only moves forward');
      elapsedMs += byMs;
    },
  };
}
