import { temporaryFolder } from '@qwen/testkit';
import { describeEventLog, type EventStorage } from '../../../test/event-log.contract.js';
import { describeSchedules } from '../../../test/schedules.contract.js';
import { describeSlowReaders } from '../../../test/slow-readers.contract.js';
import { SqliteStore } from './sqlite-store.js';

async function openPlace(): Promise<EventStorage> {
  const folder = await temporaryFolder();
  return {
    open: () => SqliteStore.open(folder.resolve('log/events.db')),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

describeEventLog('SQLite', openPlace);
describeSlowReaders('SQLite', openPlace);
describeSchedules('SQLite', openPlace);
