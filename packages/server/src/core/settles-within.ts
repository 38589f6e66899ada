import { setTimeout as delay } from 'node:timers/promises';

/** False on timeout. Never rejects. */
export async function settlesWithin(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  const settled = new AbortController();
  const done = work.then(
    () => true,
    () => true,
  );
  const late = delay(limitMs, false, { signal: settled.signal }).catch(() => false);
  try {
    return await Promise.race([done, late]);
  } finally {
    settled.abort();
  }
}
