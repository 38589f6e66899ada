import type { FileStore } from '@qwen/agent/node';
import { toSessionInfo, toStoredMessage } from '@qwen/host/sessions/stored-sessions.js';
import { AgentError, type ControlHandlers, type ControlPayload, type SessionInfo } from '@qwen/protocol';
import type { ControlContext, Controller } from './controller.js';

type Served = 'list_sessions' | 'get_session_messages' | 'rename_session' | 'delete_session' | 'fork_session';

/** Sessions on disk, including those of this process. Works without the agent engine. */
export class SessionController implements Controller {
  readonly #context: ControlContext;
  readonly #openStore: () => Promise<FileStore>;

  readonly handlers: Pick<ControlHandlers<'app'>, Served> = {
    list_sessions: async ({ cwd, limit, cursor }) => {
      const store = await this.#openStore();
      const page = await store.list({ ...(cwd && { cwd }), ...toPaging({ limit, cursor }) });
      return {
        sessions: page.sessions.map(toSessionInfo),
        ...(page.nextCursor !== undefined && { next_cursor: page.nextCursor }),
      };
    },
    get_session_messages: async ({ session_id, limit, cursor }) => {
      const store = await this.#openStore();
      const page = await store.messages(session_id, toPaging({ limit, cursor }));
      return {
        messages: page.messages.map((record) => toStoredMessage(record, session_id)),
        ...(page.nextCursor !== undefined && { next_cursor: page.nextCursor }),
      };
    },
    rename_session: (payload) => this.#rename(payload),
    delete_session: async ({ session_id }) => {
      if (this.#context.agents.find(session_id) !== undefined) {
        throw new AgentError('session_busy', `The session ${session_id} is in use by this process.`, {
          data: { pid: process.pid },
        });
      }
      const store = await this.#openStore();
      await store.delete(session_id);
      return { deleted: true };
    },
    fork_session: (payload) => this.#fork(payload),
  };

  constructor(context: ControlContext, openStore: () => Promise<FileStore>) {
    this.#context = context;
    this.#openStore = openStore;
  }

  /** A running session holds the lock of its file, so it writes the title itself. */
  async #rename({ session_id, title }: ControlPayload<'rename_session'>): Promise<SessionInfo> {
    const store = await this.#openStore();
    const isWritten = await this.#context.agents.find(session_id)?.rename(title);
    if (isWritten !== true) await store.rename(session_id, title);
    return toSessionInfo(await store.summary(session_id));
  }

  async #fork(payload: ControlPayload<'fork_session'>): Promise<SessionInfo> {
    const { session_id, up_to_message_id: upToMessageId, new_session_id } = payload;
    const store = await this.#openStore();
    const { cwd } = await store.summary(session_id);
    const session = { sessionId: new_session_id ?? crypto.randomUUID(), cwd, createdAt: new Date().toISOString() };
    const { sessionId, log } = await store.fork(session_id, session, {
      sink: { add: () => undefined },
      ...(upToMessageId && { upToMessageId }),
    });
    await log.close();
    return toSessionInfo(await store.summary(sessionId));
  }
}

interface Paging {
  readonly limit?: number | null | undefined;
  readonly cursor?: string | null | undefined;
}

function toPaging({ limit, cursor }: Paging): { readonly limit?: number; readonly cursor?: string } {
  return { ...(limit !== null && limit !== undefined && { limit }), ...(cursor && { cursor }) };
}
