import { temporaryFolder } from '@qwen/testkit';
import { describeEventLog } from '../../../test/event-log.contract.js';
import { SqliteStore } from './sqlite-store.js';

describeEventLog('SQLite', async () => {
  const folder = await temporaryFolder();
  return {
    open: () => SqliteStore.open(folder.resolve('log/events.db')),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
});
