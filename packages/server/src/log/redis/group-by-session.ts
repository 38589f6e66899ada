import type { SessionAppend } from '../event-store.js';
import type { NewEvent } from '../logged-event.js';

/** All events of a batch for one session under one fence, and which of them belong to which entry of the batch. */
export interface SessionGroup {
  readonly sessionId: string;
  readonly fence?: number | undefined;
  readonly events: NewEvent[];
  readonly parts: { readonly index: number; readonly start: number; readonly end: number }[];
}

/** One group a session, so that one step holds all of a session: what is sent twice can then be told by its number. */
export function groupBySession(batch: readonly SessionAppend[]): readonly SessionGroup[] {
  const groups = new Map<string, SessionGroup>();
  for (const [index, { sessionId, events, fence }] of batch.entries()) {
    const key = `${fence ?? ''} ${sessionId}`;
    const group = groups.get(key) ?? { sessionId, fence, events: [], parts: [] };
    groups.set(key, group);
    const start = group.events.length;
    group.events.push(...events);
    group.parts.push({ index, start, end: group.events.length });
  }
  return [...groups.values()];
}
