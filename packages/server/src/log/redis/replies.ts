import { AgentError } from '@qwen/protocol';
import * as z from 'zod/mini';
import { leaseLost } from '../../redis/redis-error.js';
import { parseReply } from '../../redis/redis-script.js';
import type { EventPage } from '../event-store.js';
import type { LoggedEvent } from '../logged-event.js';

// What comes out of Redis, where others may have written too.
const entry = z.tuple([z.string(), z.array(z.string())]);
const readReply = z.tuple([z.coerce.number(), z.coerce.number(), z.string(), z.array(entry)]);
const streamsReply = z.nullable(z.array(z.tuple([z.string(), z.array(entry)])));
const seqsReply = z.array(z.int());

/** One entry of the stream of a session. */
export type StreamEntry = z.infer<typeof entry>;

/** The words with which scripts refuse. */
const REFUSALS = new Set(['session_not_found', 'session_finished', 'lease_lost'] as const);
type Refusal = typeof REFUSALS extends Set<infer Code> ? Code : never;

/** The error a script answered with, if it did. */
export function refusalOf(reply: unknown, sessionId: string): AgentError | undefined {
  if (!REFUSALS.has(reply as Refusal)) return undefined;
  if (reply === 'session_finished') {
    return new AgentError('session_finished', `The session ${sessionId} takes no more events.`);
  }
  if (reply === 'lease_lost') return leaseLost(sessionId);
  return new AgentError('session_not_found', `There is no session ${sessionId}.`);
}

/** Seqs of an append, negative for repeats. */
export const parseSeqs = (reply: unknown): readonly number[] => parseReply(seqsReply, reply);

/** What `XREAD` gives: entries by key; none when nothing came. */
export const parseStreams = (reply: unknown) => parseReply(streamsReply, reply) ?? [];

export function parsePage(reply: unknown): EventPage {
  const [firstSeq, lastSeq, finished, entries] = parseReply(readReply, reply);
  return { events: entries.map(toEvent), firstSeq, lastSeq, isFinished: finished === '1' };
}

/** What an entry says: an event, or that the session is over. */
export function isEventEntry([id]: StreamEntry): boolean {
  return id.endsWith('-0');
}

export function toEvent([id, fields]: StreamEntry): LoggedEvent {
  const [, type, , data, , eventId, , threadId, , atMs] = fields;
  if (type === undefined || data === undefined) {
    throw new AgentError('storage_damaged', `The entry ${id} of an event stream in Redis is none of ours.`);
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
