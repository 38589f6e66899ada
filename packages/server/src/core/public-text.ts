import { toEventId } from '@qwen/protocol/server';
import type { LoggedEvent } from '../log/logged-event.js';

/** Splices the envelope into the body without parsing it. `sessionId` is the public id. */
export function toPublicText(sessionId: string, { seq, atMs, data }: LoggedEvent): string {
  const envelope = JSON.stringify({ seq, id: toEventId(seq), session_id: sessionId, created_at: atMs });
  // The body has at least its type.
  return `${envelope.slice(0, -1)},${data.slice(1)}`;
}
