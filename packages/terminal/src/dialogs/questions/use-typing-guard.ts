import { useInput } from 'ink';
import { useEffect, useState } from 'react';

/** Whoever was typing when a question appeared has stopped for so long before a key answers it. */
const QUIET_MS = 700;

/**
 * Keeps keys that were meant for something else from answering a question that appeared under the fingers: it is armed
 * only once nobody types any more. `typedAt`: when a key last went elsewhere, in epoch milliseconds.
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
