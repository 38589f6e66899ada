import { useRef, useState } from 'react';

/** State whose newest value can be read at once: several keys may come before the next drawing. */
export interface LatestState<Value> {
  readonly current: Value;
  set(value: Value): void;
}

export function useLatestState<Value>(initial: Value): LatestState<Value> {
  const latest = useRef(initial);
  const [, draw] = useState<object>();
  const state = useRef<LatestState<Value>>(undefined);
  state.current ??= {
    get current() {
      return latest.current;
    },
    set(value) {
      latest.current = value;
      draw({});
    },
  };
  return state.current;
}
