import { AgentError } from '@qwen/protocol';
import { useCallback, useEffect, useState } from 'react';

/** What a page waits for: nothing yet, the value, or why there is none. */
export type Loaded<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly value: Value }
  | { readonly state: 'failed'; readonly message: string };

/** Loads something when the page opens, and again on demand. What comes after the page was closed is dropped. */
export function useLoaded<Value>(load: () => Promise<Value>): readonly [Loaded<Value>, () => void] {
  const [loaded, setLoaded] = useState<Loaded<Value>>({ state: 'loading' });
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isOpen = true;
    const settle = (next: Loaded<Value>): void => {
      if (isOpen) setLoaded(next);
    };
    load().then(
      (value) => settle({ state: 'ready', value }),
      (thrown: unknown) => settle({ state: 'failed', message: AgentError.from(thrown).message }),
    );
    return () => {
      isOpen = false;
    };
    // What is loaded is the same for each drawing; only a new round asks again.
  }, [round]);
  return [loaded, useCallback(() => setRound((before) => before + 1), [])];
}
