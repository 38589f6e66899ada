import { AgentError } from '@qwen/protocol';
import type { SessionService } from '../core/session-service.js';
import { ADMIN } from '../guard/access-tokens.js';
import type { StreamTickets } from '../guard/stream-tickets.js';
import { currentRequest } from '../http/request-context.js';
import { fromCloudSessionId, toCloudSessionId } from '../store/session-ids.js';
import type { SessionRecord } from '../store/session-record.js';
import type { CloudHandlersOf } from './cloud-call.js';
import { toCloudSession, toCloudThread, toNewSession } from './cloud-session.js';

type SessionOperations =
  | 'POST /sessions'
  | 'GET /sessions'
  | 'GET /sessions/{session_id}'
  | 'DELETE /sessions/{session_id}'
  | 'POST /sessions/{session_id}/stream_tickets'
  | 'GET /sessions/{session_id}/threads'
  | 'POST /sessions/{session_id}/approvals/{approval_id}';

export const DEFAULT_PAGE = 20;

export function sessionHandlers(
  sessions: SessionService,
  tickets: Pick<StreamTickets, 'create'>,
): CloudHandlersOf<SessionOperations> {
  const show = async (session: SessionRecord) => toCloudSession(session, await sessions.status(session.id));
  return {
    'POST /sessions': async ({ body }) => show(await sessions.create(toNewSession(body))),
    'GET /sessions': async ({ query: { limit = DEFAULT_PAGE, after_id } }) => {
      const afterId = after_id === undefined ? undefined : fromCloudSessionId(after_id);
      if (after_id !== undefined && afterId === undefined) throw notFound('session_not_found', 'after_id: no session');
      const page = await sessions.list({ limit, afterId });
      return idList({ data: await Promise.all(page.sessions.map(show)), hasMore: page.hasMore });
    },
    'GET /sessions/{session_id}': async ({ sessionId }) => show(await sessions.get(sessionId)),
    'DELETE /sessions/{session_id}': async ({ sessionId }) => {
      await sessions.delete(sessionId);
      return { type: 'session_deleted', id: toCloudSessionId(sessionId) };
    },
    'POST /sessions/{session_id}/stream_tickets': async ({ sessionId }) => {
      await sessions.get(sessionId);
      const { ticket, expiresAt } = tickets.create(sessionId, currentRequest()?.caller ?? ADMIN);
      return { ticket, expires_at: new Date(expiresAt).toISOString() };
    },
    'GET /sessions/{session_id}/threads': async ({ sessionId, query: { limit = DEFAULT_PAGE, after_id } }) => {
      const threads = await sessions.threads(sessionId);
      const index = threads.findIndex(({ id }) => id === after_id);
      if (after_id !== undefined && index === -1) throw notFound('thread_not_found', 'after_id: no thread');
      const page = threads.slice(index + 1, index + 1 + limit);
      return idList({ data: page.map(toCloudThread), hasMore: index + 1 + page.length < threads.length });
    },
    'POST /sessions/{session_id}/approvals/{approval_id}': async ({ sessionId, approvalId, body }) => {
      const verdict =
        body.behavior === 'allow'
          ? { behavior: body.behavior, updatedInput: body.updated_input, suggestion: body.suggestion }
          : body;
      await sessions.approve({ sessionId, approvalId }, verdict);
      return { id: approvalId, behavior: body.behavior };
    },
  };
}

function notFound(code: 'session_not_found' | 'thread_not_found', what: string): AgentError {
  return new AgentError(code, `${what} has this id.`);
}

interface IdList<Item> {
  data: Item[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
}

interface ListPage<Item> {
  readonly data: readonly Item[];
  readonly hasMore: boolean;
}

function idList<Item extends { readonly id: string }>({ data, hasMore }: ListPage<Item>): IdList<Item> {
  return { data: [...data], first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null, has_more: hasMore };
}
