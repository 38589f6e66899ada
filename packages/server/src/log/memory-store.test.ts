import { describeEventLog, type EventStorage } from '../../test/event-log.contract.js';
import { describeSchedules } from '../../test/schedules.contract.js';
import { describeSlowReaders } from '../../test/slow-readers.contract.js';
import { MemoryStore } from './memory-store.js';

async function openPlace(): Promise<EventStorage> {
  const store = new MemoryStore();
  return { open: async () => store, [Symbol.asyncDispose]: async () => undefined };
}

describeEventLog('memory', openPlace);
describeSlowReaders('memory', openPlace);
describeSchedules('memory', openPlace);
