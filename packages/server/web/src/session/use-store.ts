import { useEffect, useState } from 'preact/hooks';
import type { Store } from './store.js';

export function useStore<State>(store: Store<State>): State {
  const [, draw] = useState({});
  useEffect(() => {
    // It may have changed since the rendering.
    draw({});
    return store.follow(() => draw({}));
  }, [store]);
  return store.state;
}
