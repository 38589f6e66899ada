import { useEffect, useState } from 'preact/hooks';
import type { Store } from './store.js';

/** The value of a store; the component is drawn again with each change. */
export function useStore<State>(store: Store<State>): State {
  const [, draw] = useState({});
  useEffect(() => {
    // It may have changed between drawing and following.
    draw({});
    return store.follow(() => draw({}));
  }, [store]);
  return store.state;
}
