import { AgentError } from '@qwen/protocol';
import * as z from 'zod/mini';
import { parseReply } from '../../redis/redis-script.js';
import { contentSchema, newEventsSchema, sessionSchema, threadSchema, turnStateSchema } from '../record-schemas.js';
import type { HistoryItem, OutboxEntry, SessionRecord, ThreadRecord, TurnRecord } from '../session-record.js';

// Other programs may write to this Redis.

const turnSchema = z.object({
  id: z.string(),
  sessionId: z.string(),
  requestId: z.string(),
  content: contentSchema,
  prompt: z.optional(contentSchema),
  clientKey: z.optional(z.string()),
  createdAt: z.number(),
  sender: z.optional(z.string()),
});
const historySchema = z.object({ type: z.enum(['user', 'assistant']), content: z.string(), at: z.number() });

const words = z.array(z.string());
const turnReply = z.tuple([z.nullable(z.string()), z.nullable(z.string())]);
const addedReply = z.union([z.tuple([z.int()]), turnReply]);
const outboxReply = z.array(z.tuple([z.string(), z.string(), z.string()]));
const historyReply = z.tuple([z.int(), words]);

export function toSession(reply: unknown): SessionRecord {
  const flat = parseReply(words, reply);
  const members: Record<string, unknown> = {};
  for (let at = 0; at + 1 < flat.length; at += 2) {
    const [name = '', json = ''] = flat.slice(at, at + 2);
    if (!name.startsWith('#')) members[name] = parseJson(json);
  }
  return parseReply(sessionSchema, members);
}

export function toSessions(reply: unknown): readonly SessionRecord[] {
  return parseReply(z.array(words), reply).map(toSession);
}

export function toTurn(reply: unknown): TurnRecord | undefined {
  const [json, state] = parseReply(turnReply, reply);
  if (json === null) return undefined;
  return { ...parseReply(turnSchema, parseJson(json)), state: parseReply(turnStateSchema, state) };
}

export function toAdded(reply: unknown): TurnRecord | number {
  const added = parseReply(addedReply, reply);
  if (added.length === 1) return added[0];
  const turn = toTurn(added);
  if (turn === undefined) throw new AgentError('storage_damaged', 'Redis has a turn without a record.');
  return turn;
}

export function toTurns(reply: unknown): readonly TurnRecord[] {
  return parseReply(z.array(turnReply), reply).flatMap((each) => toTurn(each) ?? []);
}

export function toOutbox(reply: unknown): readonly OutboxEntry[] {
  return parseReply(outboxReply, reply).flatMap(([json, state, events]) => {
    const turn = toTurn([json, state]);
    return turn === undefined ? [] : [{ turn, events: parseReply(newEventsSchema, parseJson(events)) }];
  });
}

export function toHistory(
  reply: unknown,
  offset: number,
): { readonly items: readonly HistoryItem[]; readonly total: number } {
  const [total, page] = parseReply(historyReply, reply);
  const items = page.map((json, index) => ({
    number: offset + index + 1,
    ...parseReply(historySchema, parseJson(json)),
  }));
  return { items, total };
}

export function toThreads(reply: unknown): readonly ThreadRecord[] {
  return parseReply(words, reply)
    .map((text) => ({ number: Number.parseInt(text, 10), json: text.slice(text.indexOf(':') + 1) }))
    .toSorted((one, other) => one.number - other.number)
    .map(({ json }) => parseReply(threadSchema, parseJson(json)));
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (thrown) {
    throw new AgentError('storage_damaged', 'Redis has a record that is not valid JSON.', { cause: thrown });
  }
}
