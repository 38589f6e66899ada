import { useInput } from 'ink';
import { useEffect, useState } from 'react';

/** Milliseconds without typing before keys can answer. */
const QUIET_MS = 700;

/**
 * Keeps keys typed for the input from answering a question that just appeared. `typedAt`: epoch milliseconds of the
 * last key elsewhere.
 */
export function useTypingGuard(typedAt: number): boolean {
  const [lastKeyAt, setLastKeyAt] = useState(typedAt);
  const [isArmed, setArmed] = useState(() => Date.now() - typedAt >= QUIET_MS);
  useInput(() => setLastKeyAt(Date.now()), { isActive: !isArmed });
  useEffect(() => {
    if (isArmed) return undefined;
    const timer = setTimeout(() => setArmed(true), Math.max(0, lastKeyAt + QUIET_MS - Date.now()));
    return () => clearTimeout(timer);
  }, [isArmed, lastKeyAt]);
  return isArmed;
}
