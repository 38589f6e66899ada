import { toEventId } from '@qwen/protocol/server';
import type { LoggedEvent } from '../log/logged-event.js';

/**
 * An event of the log as clients see it, as JSON text: its body with what the log knows. The body is not parsed, so this
 * costs next to nothing. `sessionId` is in the form of the surface that asks (GAP-100).
 */
export function toPublicText(sessionId: string, { seq, atMs, data }: LoggedEvent): string {
  const envelope = JSON.stringify({ seq, id: toEventId(seq), session_id: sessionId, created_at: atMs });
  // The body is an object and never empty: it has its type.
  return `${envelope.slice(0, -1)},${data.slice(1)}`;
}
