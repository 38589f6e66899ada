import { AgentError } from '@qwen/protocol';
import { useCallback, useEffect, useState } from 'react';

export type Loaded<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly value: Value }
  | { readonly state: 'failed'; readonly message: string };

/** Loads when the page opens and on demand; drops results that arrive after it closes. */
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
    // Only a new round reloads.
  }, [round]);
  return [loaded, useCallback(() => setRound((before) => before + 1), [])];
}
