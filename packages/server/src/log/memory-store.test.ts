import { describeEventLog } from '../../test/event-log.contract.js';
import { MemoryStore } from './memory-store.js';

describeEventLog('memory', async () => {
  const store = new MemoryStore();
  return { open: async () => store, [Symbol.asyncDispose]: async () => undefined };
});
