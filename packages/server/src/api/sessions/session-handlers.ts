import { AgentError, defined } from '@qwen/protocol';
import type { ChatRequest } from '@qwen/protocol/server';
import type { SessionActivity, SessionService } from '../../core/session-service.js';
import { type SessionRecord, sandboxOf, titleOf } from '../../store/session-record.js';
import type { ChatHandlersOf } from '../http/chat-call.js';
import { toChatError } from '../http/chat-error.js';

type SessionRoutes =
  | '/api/session'
  | '/api/session/fork'
  | '/api/session/get'
  | '/api/session/update'
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
  const show = async (session: SessionRecord) => {
    const [activity = 'idle'] = await sessions.activityOf([session]);
    return toListed(session, activity);
  };
  return {
    '/api/session': async (request) => {
      const { shared, ...members } = request;
      const { id, createdAt } = await sessions.create({ ...members, isShared: shared, hasIncrements: true });
      return { sessionId: id, createdAt: toIso(createdAt) };
    },
    '/api/session/fork': async ({ sessionId, requestId }) => {
      const { id, createdAt } = await sessions.fork(sessionId, { requestId });
      return { sessionId: id, createdAt: toIso(createdAt) };
    },
    '/api/session/get': async ({ sessionId }) => {
      const session = await sessions.get(sessionId);
      const { total } = await sessions.history(sessionId, { limit: 0, offset: 0 });
      // The clock may have been set back.
      const duration = Math.max(0, session.lastActivityAt - session.createdAt);
      return {
        ...(await show(session)),
        userId: session.owner ?? USER_ID,
        duration,
        messageCount: total,
        ...defined({ sandbox: sandboxOf(session) }),
      };
    },
    '/api/session/update': async ({ sessionId, archived, ...settings }) =>
      show(await sessions.configure(sessionId, { ...settings, isArchived: archived })),
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
      await sessions.configure(sessionId, { isShared: shared });
      return { success: true, sessionId, shared };
    },
    '/api/sessions/list': async ({ limit = PAGE_SIZE, afterId, ...filter }) => {
      const matches = toMatcher(filter);
      const page =
        matches === undefined
          ? { ...(await sessions.list({ limit, afterId })), total: await sessions.count() }
          : await listMatching(sessions, { limit, afterId, matches });
      const activities = await sessions.activityOf(page.sessions);
      return {
        sessions: page.sessions.map((session, index) => toListed(session, activities[index] ?? 'idle')),
        total: page.total,
      };
    },
  };
}

type Matcher = (session: SessionRecord) => boolean;

/** Undefined if all sessions match. */
function toMatcher({ archived, search = '' }: Omit<ChatRequest<'/api/sessions/list'>, 'limit' | 'afterId'>) {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (archived === undefined && words.length === 0) return undefined;
  return (session: SessionRecord): boolean => {
    if (archived !== undefined && (session.isArchived === true) !== archived) return false;
    const text = `${titleOf(session) ?? ''}\n${session.id}\n${session.workspaceRoot}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

/** Reads all sessions, because `total` counts the matching ones. Errors: `session_not_found` for `afterId`. */
async function listMatching(
  sessions: SessionService,
  {
    limit,
    afterId,
    matches,
  }: { readonly limit: number; readonly afterId?: string | undefined; readonly matches: Matcher },
) {
  if (afterId !== undefined) await sessions.get(afterId);
  const found: SessionRecord[] = [];
  let total = 0;
  let isWanted = afterId === undefined;
  for (let after: string | undefined; ; ) {
    const page = await sessions.list({ limit: PAGE_SIZE, afterId: after });
    for (const session of page.sessions) {
      const isMatching = matches(session);
      if (isMatching) total += 1;
      if (isMatching && isWanted && found.length < limit) found.push(session);
      if (session.id === afterId) isWanted = true;
    }
    after = page.sessions.at(-1)?.id;
    if (!page.hasMore || after === undefined) return { sessions: found, total };
  }
}

function toListed(session: SessionRecord, activity: SessionActivity) {
  const { id, createdAt, lastActivityAt, workspaceRoot, model, approvalMode, effort, isArchived, metadata } = session;
  const { title: clientTitle } = session.details;
  return {
    id,
    createdAt: toIso(createdAt),
    lastActivity: toIso(lastActivityAt),
    ...defined({ title: titleOf(session), model, effort }),
    workspaceRoot,
    approvalMode,
    activity,
    archived: isArchived === true,
    // Sessions of the cloud API have their title elsewhere.
    metadata: typeof clientTitle === 'string' ? { title: clientTitle, ...metadata } : { ...metadata },
  };
}

function toIso(atMs: number): string {
  return new Date(atMs).toISOString();
}
