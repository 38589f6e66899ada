/** A clock that moves only when told; fits the Clock port of `@qwen/agent`. */
export interface FakeClock {
  /** Milliseconds, from 0. */
  nowMs(): number;
  /** Wall clock as an ISO string; it moves together with `nowMs`. */
  isoTime(): string;
  advance(byMs: number): void;
}

/** A clock that starts at `startsAt` (ISO, default 2030-01-01) and stands still until `advance`. */
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
