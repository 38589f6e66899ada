import { AgentError } from '@qwen/protocol';
import { isIncrementType } from '@qwen/protocol/server';
import * as z from 'zod/mini';
import type { ConversationFork } from '../agent/fork-conversation.js';
import type { EventLog } from '../log/event-log.js';
import type { LoggedEvent, NewEvent } from '../log/logged-event.js';
import { endingOf } from '../projection/turn-ending.js';
import { newSessionId, primaryThreadId, primaryThreadOf } from '../store/session-ids.js';
import { type SessionRecord, titleOf } from '../store/session-record.js';
import type { SessionStore } from '../store/session-store.js';
import { scopeOf, turnEnd } from './new-events.js';
import type { SessionFork } from './session-service.js';

export interface ForkPorts {
  readonly store: SessionStore;
  readonly log: EventLog;
  readonly forkConversation: (fork: ConversationFork) => Promise<void>;
  /** Must not reject. */
  readonly deleteConversation: (session: SessionRecord) => Promise<void>;
}

const MAX_TITLE = 200;

/**
 * Copies a session as it was before a message, or all of it between two turns. The events keep the ids of their turns.
 * Errors: `session_busy`, `turn_not_found`, `message_not_found`.
 */
export async function forkSession(
  source: SessionRecord,
  { requestId, owner }: SessionFork,
  { store, log, forkConversation, deleteConversation }: ForkPorts,
): Promise<SessionRecord> {
  if (requestId === undefined && (await store.openTurns(source.id)).length > 0) {
    throw new AgentError('session_busy', 'A turn is running. Fork the session after it, or from a message.');
  }
  const cut = await findCut(log, source.id, requestId);
  const record = copyOf(source, owner);
  await log.create(record.id);
  try {
    const { id: sessionId, workspaceRoot } = record;
    if (source.isResumable)
      await forkConversation({ sourceId: source.id, sessionId, workspaceRoot, before: requestId });
    await copyEvents(log, cut, { source, copy: record });
    await store.create(record, primaryThreadOf(record));
  } catch (thrown) {
    await deleteConversation(record);
    await log.delete(record.id);
    throw thrown;
  }
  return record;
}

function copyOf(source: SessionRecord, owner: string | undefined): SessionRecord {
  const { isArchived: _a, shareLinks: _s, waitingTurnId: _w, isShared: _i, owner: _o, title: _t, ...settings } = source;
  const now = Date.now();
  const title = titleOf(source);
  return {
    ...settings,
    id: newSessionId(),
    createdAt: now,
    lastActivityAt: now,
    ...(title !== undefined && { title: `${[...title].slice(0, MAX_TITLE - 7).join('')} (fork)` }),
    ...(owner !== undefined && { owner }),
  };
}

interface Cut {
  readonly beforeSeq: number;
  readonly turnIds: ReadonlySet<string>;
  readonly openTurn: { readonly turnId: string; readonly requestId: string } | undefined;
}

/** Where a turn began to read the message. */
async function findCut(log: EventLog, sessionId: string, requestId: string | undefined): Promise<Cut> {
  const turnIds = new Set<string>();
  let openTurn: Cut['openTurn'];
  let isKnown = requestId === undefined;
  let beforeSeq = 1;
  for await (const event of eventsOf(log, sessionId)) {
    beforeSeq = event.seq + 1;
    const { type } = event;
    if (!TURN_EVENTS.has(type)) continue;
    const { turn_id: turnId = '', request_id: ofRequest = '' } = parseBody(event);
    if (ofRequest === requestId) {
      isKnown = true;
      if (STARTS.has(type)) return { beforeSeq: event.seq, turnIds, openTurn };
    }
    if (STARTS.has(type)) turnIds.add(turnId);
    if (type === 'turn.started') openTurn = { turnId, requestId: ofRequest };
    if (ENDS.has(type) && turnId === openTurn?.turnId) openTurn = undefined;
  }
  if (!isKnown) throw new AgentError('turn_not_found', 'The session has no message with this request ID.');
  return { beforeSeq, turnIds, openTurn };
}

async function copyEvents(log: EventLog, cut: Cut, { source, copy }: Record<'source' | 'copy', SessionRecord>) {
  const { beforeSeq, turnIds, openTurn } = cut;
  const [from, to] = [primaryThreadId(source.id), primaryThreadId(copy.id)];
  for await (const page of pagesOf(log, source.id, beforeSeq)) {
    const events = page.flatMap((event): NewEvent[] => {
      const { type, eventId } = event;
      if (isIncrementType(type)) return [];
      const body = parseBody(event);
      if (body.turn_id !== undefined && !turnIds.has(body.turn_id)) return [];
      const threadId = body.session_thread_id === from ? to : body.session_thread_id;
      return [{ type, eventId, threadId, data: JSON.stringify({ ...body, session_thread_id: threadId }) }];
    });
    if (events.length > 0) await log.append(copy.id, events);
  }
  if (openTurn === undefined) return;
  const { turnId, requestId } = openTurn;
  const scope = scopeOf({ id: turnId, sessionId: copy.id });
  const bodies = endingOf({ scope, requestId, lastText: '' }, { outcome: 'cancelled', durationMs: 0 });
  await log.append(copy.id, turnEnd(turnId, bodies));
}

const STARTS: ReadonlySet<string> = new Set(['turn.started', 'user.message_taken']);
const ENDS: ReadonlySet<string> = new Set(['turn.ended', 'turn.interrupted']);
const TURN_EVENTS: ReadonlySet<string> = new Set(['user.message', ...STARTS, ...ENDS]);

const bodySchema = z.looseObject({
  session_thread_id: z.string(),
  turn_id: z.optional(z.string()),
  request_id: z.optional(z.string()),
});

function parseBody({ data }: LoggedEvent) {
  return bodySchema.parse(JSON.parse(data));
}

async function* eventsOf(log: EventLog, sessionId: string): AsyncGenerator<LoggedEvent> {
  for await (const page of pagesOf(log, sessionId)) yield* page;
}

async function* pagesOf(log: EventLog, sessionId: string, beforeSeq?: number): AsyncGenerator<readonly LoggedEvent[]> {
  for (let afterSeq = 0; ; ) {
    const { events } = await log.read(sessionId, { afterSeq, beforeSeq });
    const last = events.at(-1);
    if (last === undefined) return;
    yield events;
    afterSeq = last.seq;
  }
}
