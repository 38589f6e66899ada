import { useRef, useState } from 'react';

/** State readable at once: several keys may arrive before the next render. */
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
