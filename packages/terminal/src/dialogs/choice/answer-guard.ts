import { createContext, useEffect, useRef } from 'react';
import { useLatestState } from '../use-latest-state.js';

/** Milliseconds without a key before a key can answer, counted from when the question appears. */
const QUIET_MS = 700;
/** Milliseconds in which nothing may follow a digit: text such as "3 tests" begins with one. */
const SETTLE_MS = 500;

/** Receives text typed or pasted while a question is open. Default: dropped. */
export const StrayTextContext = createContext<(text: string) => void>(() => undefined);

export interface AnswerGuard {
  readonly isArmed: boolean;
  /** Requires a new pause before the next answer, and cancels `settle()`. */
  restart(): void;
  /** Calls back unless a key follows. */
  settle(done: () => void): void;
}

export function useAnswerGuard(): AnswerGuard {
  const armed = useLatestState(false);
  const quiet = useRef<NodeJS.Timeout>(undefined);
  const settling = useRef<NodeJS.Timeout>(undefined);
  const guard = useRef<AnswerGuard>(undefined);
  guard.current ??= {
    get isArmed() {
      return armed.current;
    },
    restart() {
      clearTimeout(quiet.current);
      clearTimeout(settling.current);
      if (armed.current) armed.set(false);
      quiet.current = setTimeout(() => armed.set(true), QUIET_MS);
    },
    settle(done) {
      clearTimeout(settling.current);
      settling.current = setTimeout(done, SETTLE_MS);
    },
  };
  useEffect(() => {
    guard.current?.restart();
    return () => {
      clearTimeout(quiet.current);
      clearTimeout(settling.current);
    };
  }, []);
  return guard.current;
}
