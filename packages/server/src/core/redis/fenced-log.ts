import type { EventLog } from '../../log/event-log.js';

/** The log as a process may write it under its lease of a session. Whoever has the log closes it. */
export function fencedLog(log: EventLog, fence: number): Pick<EventLog, 'append' | 'read' | 'seqOf'> {
  return {
    append: (sessionId, events) => log.append(sessionId, events, { fence }),
    read: (sessionId, options) => log.read(sessionId, options),
    seqOf: (sessionId, eventId) => log.seqOf(sessionId, eventId),
  };
}
