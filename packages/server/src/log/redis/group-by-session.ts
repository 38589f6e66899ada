import type { SessionAppend } from '../event-store.js';
import type { NewEvent } from '../logged-event.js';

/** All events of a batch for one session, and which of them belong to which entry of the batch. */
export interface SessionGroup {
  readonly sessionId: string;
  readonly events: NewEvent[];
  readonly parts: { readonly index: number; readonly start: number; readonly end: number }[];
}

/** One group a session, so that one step holds all of a session: what is sent twice can then be told by its number. */
export function groupBySession(batch: readonly SessionAppend[]): readonly SessionGroup[] {
  const groups = new Map<string, SessionGroup>();
  for (const [index, { sessionId, events }] of batch.entries()) {
    const group = groups.get(sessionId) ?? { sessionId, events: [], parts: [] };
    groups.set(sessionId, group);
    const start = group.events.length;
    group.events.push(...events);
    group.parts.push({ index, start, end: group.events.length });
  }
  return [...groups.values()];
}
