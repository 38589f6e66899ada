import * as z from 'zod/mini';
import { contentSchema, newEventsSchema, sessionSchema, threadSchema, turnStateSchema } from '../record-schemas.js';
import type { HistoryItem, OutboxEntry, SessionRecord, ThreadRecord, TurnRecord } from '../session-record.js';

// The file may be damaged or of another version.

const turnRowSchema = z.object({
  id: z.string(),
  session_id: z.string(),
  request_id: z.string(),
  client_key: z.nullable(z.string()),
  state: turnStateSchema,
  content: z.string(),
  prompt: z.nullable(z.string()),
  created_at: z.number(),
  sender: z.nullable(z.string()),
});

const recordRow = z.object({ record: z.string() });
const historySchema = z.object({
  number: z.number(),
  type: z.enum(['user', 'assistant']),
  content: z.string(),
  at: z.number(),
});
export function toSession(row: unknown): SessionRecord {
  return sessionSchema.parse(JSON.parse(recordRow.parse(row).record));
}

export function toThread(row: unknown): ThreadRecord {
  return threadSchema.parse(JSON.parse(recordRow.parse(row).record));
}

export function toTurn(row: unknown): TurnRecord {
  const turn = turnRowSchema.parse(row);
  return {
    id: turn.id,
    sessionId: turn.session_id,
    requestId: turn.request_id,
    content: contentSchema.parse(JSON.parse(turn.content)),
    ...(turn.prompt !== null && { prompt: contentSchema.parse(JSON.parse(turn.prompt)) }),
    ...(turn.client_key !== null && { clientKey: turn.client_key }),
    ...(turn.sender !== null && { sender: turn.sender }),
    state: turn.state,
    createdAt: turn.created_at,
  };
}

const outboxRow = z.object({ untold: z.string() });
export function toOutboxEntry(row: unknown): OutboxEntry {
  return { turn: toTurn(row), events: newEventsSchema.parse(JSON.parse(outboxRow.parse(row).untold)) };
}

export function toHistoryItem(row: unknown): HistoryItem {
  return historySchema.parse(row);
}

export const totalRow = z.object({ total: z.number() });
export const usageRow = z.object({ tokens: z.number(), usd: z.number() });
export const numberRow = z.object({ number: z.number() });
export const sessionIdRow = z.object({ sessionId: z.string() });
