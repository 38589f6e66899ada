import { AgentError } from '@qwen/protocol';
import type { NewEvent } from './logged-event.js';

// What becomes a part of a key in Redis or of a line of an event stream is checked where it enters (T16, F121).
const SESSION_ID = /^[\w.:-]{1,128}$/;
const EVENT_TYPE = /^[\w.:-]{1,128}$/;
const VISIBLE_ASCII = /^[\x21-\x7e]{1,256}$/;
const LINE_BREAK = /[\r\n]/;

export function checkSessionId(sessionId: string): void {
  if (!SESSION_ID.test(sessionId)) {
    throw new AgentError('session_not_found', 'A session id is 1 to 128 letters, digits or one of _ . : -');
  }
}

/** Errors: `invalid_payload`, which names the event by its index. */
export function checkEvents(events: readonly NewEvent[]): void {
  for (const [index, { type, data, eventId, threadId }] of events.entries()) {
    if (!EVENT_TYPE.test(type))
      throw refuse(index, 'has a type that is not 1 to 128 letters, digits or one of _ . : -');
    if (LINE_BREAK.test(data)) throw refuse(index, 'has data with a line break; JSON text needs none');
    for (const id of [eventId, threadId]) {
      if (id !== undefined && !VISIBLE_ASCII.test(id))
        throw refuse(index, 'has an id that is not 1 to 256 visible ASCII');
    }
  }
}

function refuse(index: number, why: string): AgentError {
  return new AgentError('invalid_payload', `Event ${index} ${why}.`, { data: { index } });
}
