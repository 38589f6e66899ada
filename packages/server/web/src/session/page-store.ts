import { AgentError, type PermissionMode, type SandboxOption } from '@qwen/protocol';
import type { Decision } from '../call/approval-card.js';
import type { Suggestion } from '../composer/use-hints.js';
import type { Approval } from '../conversation/conversation.js';
import type { RequestOf, ResponseOf, ServerClient } from '../server/server-client.js';
import type { SessionToken } from '../server/session-token.js';
import { listSessions } from './list-sessions.js';
import { OpenConversation } from './open-conversation.js';
import type { PageClock } from './page-clock.js';
import { sendMessage } from './send-message.js';
import { Store } from './store.js';

export type ListedSession = ResponseOf<'/api/sessions/list'>['sessions'][number];

export interface PageState {
  /** Newest first. */
  readonly sessions: readonly ListedSession[];
  readonly olderSessions: number;
  readonly isListed: boolean;
  readonly open: OpenConversation | undefined;
  readonly wantsToken: boolean;
  readonly problem: string | undefined;
  /** Text that could not be sent; restored in the input box. */
  readonly draft: string;
}

/** Empty values use the defaults of the server. */
export interface NewSessionInput {
  readonly folder: string;
  readonly model: string;
  /** Undefined: as the server has it. */
  readonly mode: PermissionMode | undefined;
  readonly sandbox: SandboxOption | undefined;
}

export interface PageStoreOptions {
  readonly client: ServerClient;
  readonly token: SessionToken;
  readonly clock: PageClock;
  /** Updates the URL. */
  readonly onOpen: (sessionId: string | undefined) => void;
}

const PAGE = 200;
/** Larger files are truncated by the server, so they have no diff; in characters. */
const COMPARED_CHARACTERS = 1_500_000;

/** All user actions. Methods never reject: errors become `problem`. */
export class PageStore extends Store<PageState> {
  readonly #options: PageStoreOptions;
  #listed = PAGE;

  constructor(options: PageStoreOptions) {
    super({
      sessions: [],
      olderSessions: 0,
      isListed: false,
      open: undefined,
      wantsToken: false,
      problem: undefined,
      draft: '',
    });
    this.#options = options;
  }

  /** Reloads the list. Keeps the old one silently on an error. */
  async refresh(): Promise<void> {
    try {
      const { sessions, total } = await listSessions(this.#options.client, this.#listed);
      this.update({ sessions, olderSessions: Math.max(0, total - sessions.length), isListed: true });
    } catch (thrown) {
      const { code } = AgentError.from(thrown);
      if (code === 'unauthorized' || !this.state.isListed) this.#report(thrown);
    }
  }

  async listMore(): Promise<void> {
    this.#listed += PAGE;
    await this.refresh();
  }

  open(sessionId: string | undefined): void {
    if (this.state.open?.sessionId === sessionId) return;
    this.state.open?.close();
    const { client, clock, onOpen } = this.#options;
    const open =
      sessionId === undefined
        ? undefined
        : new OpenConversation({ client, sessionId, clock, onUnauthorized: () => this.update({ wantsToken: true }) });
    this.update({ open, problem: undefined, draft: '' });
    onOpen(sessionId);
  }

  /** Creates a session and sends its first message. False on an error. */
  async start({ folder, model, mode, sandbox }: NewSessionInput, text: string): Promise<boolean> {
    return this.#attempt(async () => {
      const { sessionId } = await this.#options.client.post('/api/session', {
        ...(folder.trim() !== '' && { workspaceRoot: folder.trim() }),
        ...(model.trim() !== '' && { model: model.trim() }),
        ...(mode !== undefined && { approvalMode: mode }),
        ...(sandbox !== undefined && { sandbox }),
        metadata: { title: toTitle(text) },
      });
      this.open(sessionId);
      await this.#send(text).catch((error: unknown) => {
        // The form with the text is gone.
        this.update({ draft: text });
        throw error;
      });
      await this.refresh();
    });
  }

  async send(text: string): Promise<boolean> {
    return this.#attempt(() => this.#send(text));
  }

  async stop(): Promise<void> {
    const requestId = this.state.open?.state.conversation.runningRequestId;
    if (requestId === undefined) return;
    await this.#attempt(() => this.#options.client.post('/api/chat/cancel', { requestId }), ['turn_not_found']);
  }

  async decide({ requestId, toolUseId: callId }: Approval, decision: Decision): Promise<void> {
    // Another client or the deadline was faster; the log shows it.
    const harmless = ['approval_not_found'] as const;
    await this.#attempt(
      () => this.#options.client.post('/api/chat/approve', { requestId, callId, ...decision }),
      harmless,
    );
  }

  async delete(sessionId: string): Promise<void> {
    if (this.state.open?.sessionId === sessionId) this.open(undefined);
    await this.#attempt(() => this.#options.client.post('/api/session/delete', { sessionId }), ['session_not_found']);
    await this.refresh();
  }

  async enter(token: string): Promise<void> {
    this.#options.token.keep(token);
    this.update({ wantsToken: false, problem: undefined });
    const sessionId = this.state.open?.sessionId;
    this.state.open?.close();
    this.update({ open: undefined });
    await this.refresh();
    if (!this.state.wantsToken) this.open(sessionId);
  }

  async hints(
    question: Omit<RequestOf<'/api/hints'>, 'sessionId'>,
    signal: AbortSignal,
  ): Promise<readonly Suggestion[]> {
    const sessionId = this.state.open?.sessionId;
    if (sessionId === undefined) return [];
    return (await this.#options.client.post('/api/hints', { ...question, sessionId }, signal)).suggestions;
  }

  /** Returns '' for a missing file, undefined for one that cannot be compared. */
  async readFile(path: string): Promise<string | undefined> {
    const sessionId = this.state.open?.sessionId ?? '';
    try {
      const { content, displaySummary } = await this.#options.client.post('/api/files/read', { sessionId, path });
      const isWhole = content.length <= COMPARED_CHARACTERS && !displaySummary.endsWith(', truncated');
      return isWhole ? content : undefined;
    } catch (thrown) {
      return AgentError.from(thrown).code === 'file_not_found' ? '' : undefined;
    }
  }

  async #send(text: string): Promise<void> {
    const { open } = this.state;
    if (open === undefined) return;
    const { client, clock } = this.#options;
    const { sessionId } = await sendMessage({ client, clock, sessionId: open.sessionId, text });
    if (sessionId !== open.sessionId) this.open(sessionId);
  }

  async #attempt(action: () => Promise<unknown>, harmless: readonly string[] = []): Promise<boolean> {
    this.update({ problem: undefined });
    try {
      await action();
      return true;
    } catch (thrown) {
      if (!harmless.includes(AgentError.from(thrown).code)) this.#report(thrown);
      return false;
    }
  }

  #report(thrown: unknown): void {
    const { code, message } = AgentError.from(thrown);
    if (code !== 'unauthorized') return this.update({ problem: message });
    const wasWrong = this.#options.token.token !== undefined;
    this.#options.token.forget();
    return this.update({
      wantsToken: true,
      problem: wasWrong ? 'The server rejected this token.' : undefined,
    });
  }
}

function toTitle(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
