import { AgentError } from '@qwen/protocol';
import type { EventLog } from '../src/log/event-log.js';
import type { NewEvent } from '../src/log/logged-event.js';

/** A log whose disk is full for as long as a function says so of what is to be written. */
export function flakyLog(log: EventLog, isFull: (events: readonly NewEvent[]) => boolean): EventLog {
  return {
    create: (sessionId) => log.create(sessionId),
    append: async (sessionId, events) => {
      if (isFull(events)) throw new AgentError('storage_full', 'No space is left.');
      return log.append(sessionId, events);
    },
    read: (sessionId, options) => log.read(sessionId, options),
    seqOf: (sessionId, eventId) => log.seqOf(sessionId, eventId),
    attach: (sessionId, options) => log.attach(sessionId, options),
    finish: (sessionId) => log.finish(sessionId),
    delete: (sessionId) => log.delete(sessionId),
    list: (options) => log.list(options),
    evict: (sessionId) => log.evict(sessionId),
    close: () => log.close(),
  };
}
