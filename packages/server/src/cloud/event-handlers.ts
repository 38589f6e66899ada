import { AgentError } from '@qwen/protocol';
import type { CloudRequest } from '@qwen/protocol/server';
import { toPublicText } from '../core/public-text.js';
import type { SessionService } from '../core/session-service.js';
import { parseLastEventId, toEventId } from '../sse/last-event-id.js';
import { toCloudSessionId } from '../store/session-ids.js';
import type { CloudHandlersOf } from './cloud-call.js';
import { findEvents } from './event-page.js';
import { type FollowOptions, followEvents } from './follow-events.js';
import { DEFAULT_PAGE } from './session-handlers.js';

type EventOperations =
  | 'POST /sessions/{session_id}/events'
  | 'GET /sessions/{session_id}/events'
  | 'GET /sessions/{session_id}/events/stream'
  | 'GET /sessions/{session_id}/threads/{thread_id}/events'
  | 'GET /sessions/{session_id}/threads/{thread_id}/stream';

export interface EventHandlersOptions extends Omit<FollowOptions, 'log'> {
  readonly sessions: SessionService;
}

interface PageCall {
  readonly sessionId: string;
  readonly threadId?: string | undefined;
  readonly query: {
    readonly limit?: number | undefined;
    readonly after_id?: string | undefined;
    readonly before_id?: string | undefined;
  };
}

export function eventHandlers({ sessions, ...streams }: EventHandlersOptions): CloudHandlersOf<EventOperations> {
  const follow = { ...streams, log: sessions.log };
  return {
    'POST /sessions/{session_id}/events': async ({ sessionId, body, clientKey }) => {
      const stored: string[] = [];
      for (const [index, event] of body.events.entries()) {
        // Each message of a request is a separate turn.
        const key = clientKey === undefined || index === 0 ? clientKey : `${clientKey}:${index}`;
        stored.push(await storedText(sessions, sessionId, await put(sessions, { sessionId, event, clientKey: key })));
      }
      return jsonResponse(`{"data":[${stored.join(',')}]}`);
    },
    'GET /sessions/{session_id}/events': ({ sessionId, query }) => pageOf(sessions, { sessionId, query }),
    'GET /sessions/{session_id}/events/stream': ({ sessionId, lastEventId, abandon }) =>
      followEvents({ sessionId, lastEventId, abandon }, follow),
    'GET /sessions/{session_id}/threads/{thread_id}/events': async ({ sessionId, threadId, query }) => {
      await checkThread(sessions, sessionId, threadId);
      return pageOf(sessions, { sessionId, threadId, query });
    },
    'GET /sessions/{session_id}/threads/{thread_id}/stream': async ({ sessionId, threadId, lastEventId, abandon }) => {
      await checkThread(sessions, sessionId, threadId);
      return followEvents({ sessionId, threadId, lastEventId, abandon }, follow);
    },
  };
}

interface Input {
  readonly sessionId: string;
  readonly event: CloudRequest<'POST /sessions/{session_id}/events'>['events'][number];
  readonly clientKey: string | undefined;
}

async function put(sessions: SessionService, { sessionId, event, clientKey }: Input): Promise<number> {
  if (event.type === 'user.interrupt') return (await sessions.interrupt(sessionId)).seq;
  const { content, priority } = event;
  return (await sessions.send(sessionId, { content, priority, clientKey })).startSeq;
}

/** Errors: `invalid_cursor` if it was evicted. */
async function storedText({ log }: SessionService, sessionId: string, seq: number): Promise<string> {
  const { events } = await log.read(sessionId, { afterSeq: seq - 1, limit: 1 });
  const event = events[0];
  if (event?.seq !== seq) throw new AgentError('invalid_cursor', 'The event was evicted from the log.');
  return toPublicText(toCloudSessionId(sessionId), event);
}

async function pageOf({ log }: SessionService, { sessionId, threadId, query }: PageCall): Promise<Response> {
  const { limit = DEFAULT_PAGE, after_id, before_id } = query;
  const { events, hasMore, evicted } = await findEvents(log, {
    sessionId,
    threadId,
    limit,
    afterSeq: parseLastEventId(after_id),
    beforeSeq: parseLastEventId(before_id),
  });
  const publicId = toCloudSessionId(sessionId);
  const [first, last] = [events[0], events.at(-1)];
  const page = {
    first_id: first === undefined ? null : toEventId(first.seq),
    last_id: last === undefined ? null : toEventId(last.seq),
    has_more: hasMore,
    ...(evicted !== undefined && {
      evicted: { from_id: toEventId(evicted.fromSeq), to_id: toEventId(evicted.toSeq) },
    }),
  };
  const texts = events.map((event) => toPublicText(publicId, event));
  return jsonResponse(`{"data":[${texts.join(',')}],${JSON.stringify(page).slice(1)}`);
}

async function checkThread(sessions: SessionService, sessionId: string, threadId: string): Promise<void> {
  const threads = await sessions.threads(sessionId);
  if (threads.some(({ id }) => id === threadId)) return;
  throw new AgentError('thread_not_found', 'The session has no thread with this id.');
}

function jsonResponse(text: string): Response {
  return new Response(text, {
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  });
}
