/** The longest delay that timers take; a larger one would fire at once. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

/**
 * Calls `onDeadline` after `delayMs` unless the returned function was called before. 0, and anything longer than
 * timers can count (24 days), means for ever. The timer does not keep the process alive: a pipe that still may
 * bring the answer does.
 */
export function startDeadline(delayMs: number, onDeadline: () => void): () => void {
  if (delayMs <= 0 || delayMs > LONGEST_DELAY_MS || Number.isNaN(delayMs)) return () => undefined;
  const timer = setTimeout(onDeadline, delayMs);
  unref(timer);
  return () => clearTimeout(timer);
}

/** Browsers number their timers; there is nothing to unref. */
function unref(timer: unknown): void {
  if (typeof timer !== 'object' || timer === null || !('unref' in timer)) return;
  if (typeof timer.unref === 'function') timer.unref();
}
