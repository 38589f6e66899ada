import { createContext, useEffect, useRef } from 'react';
import { wasOneKey } from '../../end-open-pastes.js';
import { useLatestState } from '../use-latest-state.js';

/** Milliseconds without a key before a key can answer, counted from when the question appears. */
const QUIET_MS = 700;
/** Milliseconds in which nothing may follow a digit: text such as "3 tests" begins with one. */
const SETTLE_MS = 500;
/** Keys that are nearer to each other come from a paste or were held back: no fingers are as fast. */
const BURST_MS = 20;

/** Receives text typed or pasted while a question is open. Default: dropped. */
export const StrayTextContext = createContext<(text: string) => void>(() => undefined);

export interface AnswerGuard {
  readonly isArmed: boolean;
  /** Whether a key comes alone. Call it once for each key. */
  isSingle(): boolean;
  /** Requires a new pause before the next answer, and cancels `settle()`. */
  restart(): void;
  /** Calls back unless a key follows. */
  settle(done: () => void): void;
}

export function useAnswerGuard(): AnswerGuard {
  const armed = useLatestState(false);
  const quiet = useRef<NodeJS.Timeout>(undefined);
  const settling = useRef<NodeJS.Timeout>(undefined);
  const reading = useRef<NodeJS.Immediate>(undefined);
  const lastKeyMs = useRef(Number.NEGATIVE_INFINITY);
  const guard = useRef<AnswerGuard>(undefined);
  const stop = (): void => {
    clearTimeout(quiet.current);
    clearTimeout(settling.current);
    clearImmediate(reading.current);
  };
  /** A busy program is late to read keys, so it reads what was typed meanwhile first. */
  const afterKeys = (done: () => void) => () => void (reading.current = setImmediate(done));
  guard.current ??= {
    get isArmed() {
      return armed.current;
    },
    isSingle() {
      const before = lastKeyMs.current;
      lastKeyMs.current = performance.now();
      return wasOneKey() && lastKeyMs.current - before > BURST_MS;
    },
    restart() {
      stop();
      if (armed.current) armed.set(false);
      quiet.current = setTimeout(
        afterKeys(() => armed.set(true)),
        QUIET_MS,
      );
    },
    settle(done) {
      clearTimeout(settling.current);
      settling.current = setTimeout(afterKeys(done), SETTLE_MS);
    },
  };
  useEffect(() => {
    guard.current?.restart();
    return stop;
  }, []);
  return guard.current;
}
