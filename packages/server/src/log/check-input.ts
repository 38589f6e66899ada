import { AgentError } from '@qwen/protocol';
import type { NewEvent } from './logged-event.js';

// These become part of Redis keys and event stream lines.
const SESSION_ID = /^[\w.:-]{1,128}$/;
const EVENT_TYPE = /^[\w.:-]{1,128}$/;
const VISIBLE_ASCII = /^[\x21-\x7e]{1,256}$/;
const LINE_BREAK = /[\r\n]/;

export function checkSessionId(sessionId: string): void {
  if (!SESSION_ID.test(sessionId)) {
    throw new AgentError('session_not_found', 'A session id must be 1 to 128 letters, digits or _ . : -');
  }
}

/** Errors: `invalid_payload`. */
export function checkEvents(events: readonly NewEvent[]): void {
  for (const [index, { type, data, eventId, threadId }] of events.entries()) {
    if (!EVENT_TYPE.test(type)) throw refuse(index, 'has a type that is not 1 to 128 letters, digits or _ . : -');
    if (LINE_BREAK.test(data)) throw refuse(index, 'has a line break in its data');
    for (const id of [eventId, threadId]) {
      if (id !== undefined && !VISIBLE_ASCII.test(id))
        throw refuse(index, 'has an id that is not 1 to 256 visible ASCII characters');
    }
  }
}

function refuse(index: number, reason: string): AgentError {
  return new AgentError('invalid_payload', `Event ${index} ${reason}.`, { data: { index } });
}
