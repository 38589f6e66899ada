import { sessionStoreContract } from '../../test/session-store.contract.js';
import { MemorySessionStore } from './memory-session-store.js';

sessionStoreContract('memory', async () => {
  const store = new MemorySessionStore();
  return { store, [Symbol.asyncDispose]: () => store.close() };
});
