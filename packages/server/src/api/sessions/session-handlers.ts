import { AgentError, defined } from '@qwen/protocol';
import type { SessionService } from '../../core/session-service.js';
import { type SessionRecord, sandboxOf } from '../../store/session-record.js';
import type { ChatHandlersOf } from '../http/chat-call.js';
import { toChatError } from '../http/chat-error.js';

type SessionRoutes =
  | '/api/session'
  | '/api/session/get'
  | '/api/session/delete'
  | '/api/session/update-workspace'
  | '/api/session/add-directory'
  | '/api/session/list-directories'
  | '/api/session/share'
  | '/api/sessions/list';

/** User ID of sessions without an owner. */
const USER_ID = 'local-user';
const PAGE_SIZE = 1000;

export function sessionHandlers(sessions: SessionService): ChatHandlersOf<SessionRoutes> {
  return {
    '/api/session': async (request) => {
      const { shared, ...members } = request;
      const { id, createdAt } = await sessions.create({ ...members, isShared: shared, hasIncrements: true });
      return { sessionId: id, createdAt: toIso(createdAt) };
    },
    '/api/session/get': async ({ sessionId }) => {
      const session = await sessions.get(sessionId);
      const { total } = await sessions.history(sessionId, { limit: 0, offset: 0 });
      // The clock may have been set back.
      const duration = Math.max(0, session.lastActivityAt - session.createdAt);
      return {
        ...toListed(session),
        userId: session.owner ?? USER_ID,
        duration,
        messageCount: total,
        ...defined({ sandbox: sandboxOf(session) }),
      };
    },
    '/api/session/delete': async ({ sessionId }) => {
      await sessions.delete(sessionId);
      return { success: true };
    },
    '/api/session/update-workspace': async ({ sessionId, workspaceRoot }) => {
      try {
        await sessions.updateWorkspace(sessionId, workspaceRoot);
      } catch (thrown) {
        if (!AgentError.is(thrown)) throw thrown;
        if (thrown.code !== 'session_not_found' && thrown.code !== 'cwd_missing') throw thrown;
        const { message, code } = thrown;
        // One response for both cases.
        const body = { ...toChatError({ message, code }), error: 'Session not found or update failed' };
        return Response.json(body, { status: 404 });
      }
      return { success: true, sessionId, workspaceRoot };
    },
    '/api/session/add-directory': async ({ sessionId, directories }) => {
      const { added, errors } = await sessions.addDirectories(sessionId, directories);
      return { success: added.length > 0, added: [...added], errors: [...errors] };
    },
    '/api/session/list-directories': async ({ sessionId }) => ({
      directories: [...(await sessions.directories(sessionId))],
    }),
    '/api/session/share': async ({ sessionId, shared }) => {
      await sessions.share(sessionId, shared);
      return { success: true, sessionId, shared };
    },
    '/api/sessions/list': async ({ limit = PAGE_SIZE, afterId }) => {
      const page = await sessions.list({ limit, afterId });
      return { sessions: page.sessions.map(toListed), total: await sessions.count() };
    },
  };
}

function toListed({ id, createdAt, lastActivityAt, metadata, details: { title } }: SessionRecord) {
  // Sessions of the cloud API have their title elsewhere.
  const named = typeof title === 'string' ? { title, ...metadata } : { ...metadata };
  return { id, createdAt: toIso(createdAt), lastActivity: toIso(lastActivityAt), metadata: named };
}

function toIso(atMs: number): string {
  return new Date(atMs).toISOString();
}
