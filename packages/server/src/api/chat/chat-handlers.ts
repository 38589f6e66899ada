import { AgentError } from '@qwen/protocol';
import type { ChatRequest } from '@qwen/protocol/server';
import type { SessionService } from '../../core/session-service.js';
import type { SessionRecord } from '../../store/session-record.js';
import type { SessionCommands } from '../commands/session-commands.js';
import type { ChatHandlersOf } from '../http/chat-call.js';
import { type ChatStreamOptions, chatStream } from './chat-stream.js';
import { planMessage } from './plan-message.js';

type MessageRoutes =
  | '/api/chat/stream'
  | '/api/chat/send'
  | '/api/chat/cancel'
  | '/api/chat/approve'
  | '/api/chat/history';

export interface ChatHandlersOptions {
  readonly sessions: SessionService;
  readonly commands: SessionCommands;
  readonly stream?: Pick<ChatStreamOptions, 'heartbeatMs' | 'abandonAfterMs'> | undefined;
}

const HISTORY_PAGE = 50;

export function chatHandlers({ sessions, commands, stream }: ChatHandlersOptions): ChatHandlersOf<MessageRoutes> {
  return {
    '/api/chat/stream': async (request, { signal, clientKey, abandon }) => {
      const { session, isNew } = await findOrCreate(sessions, request);
      const { id: sessionId, hasIncrements } = session;
      try {
        const planned = await planMessage(request.message, {
          sessionId,
          commands,
          attachments: request.attachments,
          signal,
        });
        const ticket = await sessions.send(sessionId, { ...planned, clientKey, whenBusy: 'refuse' });
        const { turnId, requestId, startSeq } = ticket;
        const turn = { turnId, requestId, sessionId, hasIncrements };
        return await chatStream({ ...stream, log: sessions.log, turn, startSeq, abandon });
      } catch (thrown) {
        // The client does not know its id.
        if (isNew) await sessions.delete(sessionId).catch(() => undefined);
        throw thrown;
      }
    },
    '/api/chat/send': async ({ sessionId, message, attachments, priority = 'next' }, { signal, clientKey }) => {
      const planned = await planMessage(message, { sessionId, commands, attachments, signal });
      const { requestId } = await sessions.send(sessionId, { ...planned, priority, clientKey });
      return { success: true, requestId, sessionId };
    },
    '/api/chat/cancel': async ({ requestId }) => {
      await sessions.cancel(requestId);
      return { success: true, requestId };
    },
    '/api/chat/approve': async ({ requestId, callId, behavior, updatedInput, message, suggestion }) => {
      const verdict = behavior === 'allow' ? { behavior, updatedInput, suggestion } : { behavior, message, suggestion };
      await sessions.approve({ requestId, toolUseId: callId }, verdict);
      return { success: true, requestId, callId };
    },
    '/api/chat/history': async ({ sessionId, limit = HISTORY_PAGE, offset = 0 }) => {
      const { items, total } = await sessions.history(sessionId, { limit, offset });
      const history = items.map(({ number, type, content, at }) => ({ id: number, type, content, timestamp: at }));
      return { history, total, limit, offset };
    },
  };
}

interface FoundSession {
  readonly session: SessionRecord;
  readonly isNew: boolean;
}

/** A missing or unknown session id creates a session. Errors: `invalid_payload` for another mode than its own. */
async function findOrCreate(
  sessions: SessionService,
  { sessionId, workspaceRoot, model, approvalMode, sandbox, ...more }: ChatRequest<'/api/chat/stream'>,
): Promise<FoundSession> {
  if (sessionId !== undefined && sessionId !== '') {
    try {
      const session = await sessions.get(sessionId);
      if (approvalMode !== undefined && approvalMode !== session.approvalMode) {
        const message = `body.approvalMode: the session was created with ${session.approvalMode}; create another one`;
        throw new AgentError('invalid_payload', message);
      }
      if (sandbox !== undefined && sandbox !== session.sandbox) {
        const own = session.sandbox ?? 'the one of the server';
        throw new AgentError(
          'invalid_payload',
          `body.sandbox: the session was created with ${own}; create another one`,
        );
      }
      return { session, isNew: false };
    } catch (thrown) {
      if (!AgentError.is(thrown) || thrown.code !== 'session_not_found') throw thrown;
    }
  }
  const { questionPolicy, allowedTools, shared: isShared } = more;
  const created = { workspaceRoot, model, approvalMode, sandbox, questionPolicy, allowedTools, isShared };
  const session = await sessions.create({ ...created, hasIncrements: true });
  return { session, isNew: true };
}
