import { AgentError } from '@qwen/protocol';
import type { EventLog } from '../src/log/event-log.js';
import type { NewEvent } from '../src/log/logged-event.js';

/** A log whose disk is full while `isFull` returns true for the events. */
export function flakyLog(log: EventLog, isFull: (events: readonly NewEvent[]) => boolean): EventLog {
  const failed = new WeakSet<object>();
  return {
    create: (sessionId) => log.create(sessionId),
    append: async (sessionId, events, options) => {
      const writer = options?.writer;
      if (isFull(events) || (writer !== undefined && failed.has(writer))) {
        if (writer !== undefined) failed.add(writer);
        throw new AgentError('storage_full', 'No space is left.');
      }
      return log.append(sessionId, events, options);
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
