import { AgentError } from '@qwen/protocol';
import * as z from 'zod/mini';
import { leaseLost } from '../../redis/redis-error.js';
import { parseReply } from '../../redis/redis-script.js';
import type { EventPage } from '../event-store.js';
import type { LoggedEvent } from '../logged-event.js';

// Other programs may write to this Redis.
const entry = z.tuple([z.string(), z.array(z.string())]);
const readReply = z.tuple([z.coerce.number(), z.coerce.number(), z.string(), z.array(entry)]);
const streamsReply = z.nullable(z.array(z.tuple([z.string(), z.array(entry)])));
const seqsReply = z.array(z.int());

export type StreamEntry = z.infer<typeof entry>;

const REFUSALS = new Set(['session_not_found', 'session_finished', 'lease_lost'] as const);
type Refusal = typeof REFUSALS extends Set<infer Code> ? Code : never;

export function refusalOf(reply: unknown, sessionId: string): AgentError | undefined {
  if (!REFUSALS.has(reply as Refusal)) return undefined;
  if (reply === 'session_finished') {
    return new AgentError('session_finished', `Session ${sessionId} is finished.`);
  }
  if (reply === 'lease_lost') return leaseLost(sessionId);
  return new AgentError('session_not_found', `No session has the id ${sessionId}.`);
}

export const parseSeqs = (reply: unknown): readonly number[] => parseReply(seqsReply, reply);

/** Empty after a timeout. */
export const parseStreams = (reply: unknown) => parseReply(streamsReply, reply) ?? [];

export function parsePage(reply: unknown): EventPage {
  const [firstSeq, lastSeq, finished, entries] = parseReply(readReply, reply);
  return { events: entries.map(toEvent), firstSeq, lastSeq, isFinished: finished === '1' };
}

/** Others mark the end of the session. */
export function isEventEntry([id]: StreamEntry): boolean {
  return id.endsWith('-0');
}

export function toEvent([id, fields]: StreamEntry): LoggedEvent {
  const [, type, , data, , eventId, , threadId, , atMs] = fields;
  if (type === undefined || data === undefined) {
    throw new AgentError('storage_damaged', `Entry ${id} of an event stream in Redis is invalid.`);
  }
  return {
    seq: Number.parseInt(id, 10),
    type,
    data,
    atMs: Number(atMs),
    ...(eventId !== '' && { eventId }),
    ...(threadId !== '' && { threadId }),
  };
}
