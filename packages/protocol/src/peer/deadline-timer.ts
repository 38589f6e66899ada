/** Timers fire immediately for larger delays. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

/**
 * Calls `onDeadline` after `delayMs` unless cancelled by the returned function. 0, and anything above 24 days, means
 * never. The timer does not keep the process alive.
 */
export function startDeadline(delayMs: number, onDeadline: () => void): () => void {
  if (delayMs <= 0 || delayMs > LONGEST_DELAY_MS || Number.isNaN(delayMs)) return () => undefined;
  const timer = setTimeout(onDeadline, delayMs);
  unref(timer);
  return () => clearTimeout(timer);
}

/** Browser timers are numbers without `unref`. */
function unref(timer: unknown): void {
  if (typeof timer !== 'object' || timer === null || !('unref' in timer)) return;
  if (typeof timer.unref === 'function') timer.unref();
}
