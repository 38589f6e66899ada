import { AgentError, type PermissionMode } from '@qwen/protocol';
import type { Decision } from '../call/approval-card.js';
import type { Suggestion } from '../composer/use-hints.js';
import type { Approval } from '../conversation/conversation.js';
import type { AnswerOf, RequestOf, ServerClient } from '../server/server-client.js';
import type { SessionToken } from '../server/session-token.js';
import { listSessions } from './list-sessions.js';
import { OpenConversation } from './open-conversation.js';
import type { PageClock } from './page-clock.js';
import { sendMessage } from './send-message.js';
import { Store } from './store.js';

export type ListedSession = AnswerOf<'/api/sessions/list'>['sessions'][number];

/** What the whole page shows. */
export interface PageState {
  /** The newest first, as many as were asked for. */
  readonly sessions: readonly ListedSession[];
  /** How many there are beyond those. */
  readonly olderSessions: number;
  /** Whether the list was read at all. */
  readonly isListed: boolean;
  readonly open: OpenConversation | undefined;
  readonly wantsToken: boolean;
  /** What went wrong last with something that the person did; for people. */
  readonly problem: string | undefined;
  /** Words that could not be sent; the box of the session that is open takes them back. */
  readonly draft: string;
}

/** What a new session is told. Empty words: as the server has it. */
export interface NewSessionInput {
  readonly folder: string;
  readonly model: string;
  readonly mode: PermissionMode;
}

export interface PageStoreOptions {
  readonly client: ServerClient;
  readonly token: SessionToken;
  readonly clock: PageClock;
  /** Remembers which session is open, where going back and loading again find it. */
  readonly onOpen: (sessionId: string | undefined) => void;
}

/** How many sessions are listed at first, and how many more each time. */
const PAGE = 200;
/** Files up to this are compared with what is about to be written, in characters: larger ones come cut. */
const COMPARED_CHARACTERS = 1_500_000;

/** Everything that a person can do on the page. Verbs never reject: what fails becomes `problem`. */
export class PageStore extends Store<PageState> {
  readonly #options: PageStoreOptions;
  /** How many sessions are shown. */
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

  /** Asks again which sessions there are. A list that is old is better than a complaint each time. */
  async refresh(): Promise<void> {
    try {
      const { sessions, total } = await listSessions(this.#options.client, this.#listed);
      this.update({ sessions, olderSessions: Math.max(0, total - sessions.length), isListed: true });
    } catch (thrown) {
      const { code } = AgentError.from(thrown);
      if (code === 'unauthorized' || !this.state.isListed) this.#complain(thrown);
    }
  }

  /** Shows older sessions too. */
  async listMore(): Promise<void> {
    this.#listed += PAGE;
    await this.refresh();
  }

  /** Shows a session, or the form for a new one. */
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

  /** Makes a session and sends its first message. False when that failed. */
  async begin({ folder, model, mode }: NewSessionInput, text: string): Promise<boolean> {
    return this.#attempt(async () => {
      const { sessionId } = await this.#options.client.post('/api/session', {
        ...(folder.trim() !== '' && { workspaceRoot: folder.trim() }),
        ...(model.trim() !== '' && { model: model.trim() }),
        approvalMode: mode,
        metadata: { title: toTitle(text) },
      });
      this.open(sessionId);
      await this.#send(text).catch((error: unknown) => {
        // The box that held them is gone.
        this.update({ draft: text });
        throw error;
      });
      await this.refresh();
    });
  }

  /** False when the server did not take it. */
  async send(text: string): Promise<boolean> {
    return this.#attempt(() => this.#send(text));
  }

  async stop(): Promise<void> {
    const requestId = this.state.open?.state.conversation.runningRequestId;
    if (requestId === undefined) return;
    await this.#attempt(() => this.#options.client.post('/api/chat/cancel', { requestId }), ['turn_not_found']);
  }

  async decide({ requestId, toolUseId: callId }: Approval, decision: Decision): Promise<void> {
    // Somebody else, or the deadline, was quicker: the log says so.
    const known = ['approval_not_found'] as const;
    await this.#attempt(
      () => this.#options.client.post('/api/chat/approve', { requestId, callId, ...decision }),
      known,
    );
  }

  async delete(sessionId: string): Promise<void> {
    if (this.state.open?.sessionId === sessionId) this.open(undefined);
    await this.#attempt(() => this.#options.client.post('/api/session/delete', { sessionId }), ['session_not_found']);
    await this.refresh();
  }

  /** Tries a token, with the session that was to be shown. */
  async enter(token: string): Promise<void> {
    this.#options.token.keep(token);
    this.update({ wantsToken: false, problem: undefined });
    const sessionId = this.state.open?.sessionId;
    this.state.open?.close();
    this.update({ open: undefined });
    await this.refresh();
    if (!this.state.wantsToken) this.open(sessionId);
  }

  /** Without an answer there are no hints. */
  async hints(
    question: Omit<RequestOf<'/api/hints'>, 'sessionId'>,
    signal: AbortSignal,
  ): Promise<readonly Suggestion[]> {
    const sessionId = this.state.open?.sessionId;
    if (sessionId === undefined) return [];
    return (await this.#options.client.post('/api/hints', { ...question, sessionId }, signal)).suggestions;
  }

  /** The content of a file of the session, empty when it is not there; undefined for what cannot be compared. */
  async readFile(path: string): Promise<string | undefined> {
    const sessionId = this.state.open?.sessionId ?? '';
    try {
      const { content } = await this.#options.client.post('/api/files/read', { sessionId, path });
      return content.length > COMPARED_CHARACTERS ? undefined : content;
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

  /** True when it went well. */
  async #attempt(action: () => Promise<unknown>, harmless: readonly string[] = []): Promise<boolean> {
    this.update({ problem: undefined });
    try {
      await action();
      return true;
    } catch (thrown) {
      if (!harmless.includes(AgentError.from(thrown).code)) this.#complain(thrown);
      return false;
    }
  }

  #complain(thrown: unknown): void {
    const { code, message } = AgentError.from(thrown);
    if (code !== 'unauthorized') return this.update({ problem: message });
    const wasWrong = this.#options.token.token !== undefined;
    this.#options.token.forget();
    return this.update({
      wantsToken: true,
      problem: wasWrong ? 'The server does not take this token.' : undefined,
    });
  }
}

/** The first words of a session are its title. */
function toTitle(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
