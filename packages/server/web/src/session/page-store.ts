import { AgentError, type PermissionMode, type SandboxOption } from '@qwen/protocol';
import type { TokenScope } from '@qwen/protocol/server';
import type { Decision } from '../call/approval-card.js';
import type { OutgoingText } from '../composer/composer.js';
import type { Drafts } from '../composer/drafts.js';
import type { Suggestion } from '../composer/use-hints.js';
import type { Approval, UserEntry } from '../conversation/conversation.js';
import type { RequestOf, ResponseOf, ServerClient } from '../server/server-client.js';
import type { SessionToken } from '../server/session-token.js';
import { type ListFilter, listSessions } from './list-sessions.js';
import { OpenConversation } from './open-conversation.js';
import type { PageClock } from './page-clock.js';
import { sendMessage } from './send-message.js';
import { Store } from './store.js';

export type ListedSession = ResponseOf<'/api/sessions/list'>['sessions'][number];

export type ShareLink = ResponseOf<'/api/session/links/list'>['links'][number];

export type BackgroundTask = ResponseOf<'/api/tasks/list'>['tasks'][number];

export interface PageState {
  /** Newest first. */
  readonly sessions: readonly ListedSession[];
  readonly olderSessions: number;
  readonly isListed: boolean;
  readonly search: string;
  readonly isArchive: boolean;
  readonly open: OpenConversation | undefined;
  /** The open session as last listed. */
  readonly current: ListedSession | undefined;
  readonly wantsToken: boolean;
  /** What the token may do. Undefined until the server has answered. */
  readonly scopes: readonly TokenScope[] | undefined;
  /** The only session of a share link. */
  readonly linkedSessionId: string | undefined;
  readonly problem: string | undefined;
  /** Text that could not be sent or was taken back; restored in the input box. */
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
  readonly drafts: Drafts;
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
  readonly drafts: Drafts;
  #listed = PAGE;

  constructor(options: PageStoreOptions) {
    super({
      sessions: [],
      olderSessions: 0,
      isListed: false,
      search: '',
      isArchive: false,
      open: undefined,
      current: undefined,
      wantsToken: false,
      scopes: undefined,
      linkedSessionId: undefined,
      problem: undefined,
      draft: '',
    });
    this.#options = options;
    this.drafts = options.drafts;
  }

  /** Reloads the list. Keeps the old one silently on an error. */
  async refresh(): Promise<void> {
    const { search, isArchive } = this.state;
    try {
      if (this.state.scopes === undefined) {
        const { scopes, sessionId } = await this.#options.client.post('/api/whoami', {});
        this.update({ scopes, linkedSessionId: sessionId });
      }
      const { linkedSessionId } = this.state;
      if (linkedSessionId !== undefined) {
        this.open(linkedSessionId);
        return await this.#refreshCurrent();
      }
      const filter: ListFilter = { archived: isArchive, ...(search.trim() !== '' && { search }) };
      const { sessions, total } = await listSessions(this.#options.client, this.#listed, filter);
      // An older answer must not replace a newer one.
      if (search !== this.state.search || isArchive !== this.state.isArchive) return;
      this.update({ sessions, olderSessions: Math.max(0, total - sessions.length), isListed: true });
      await this.#refreshCurrent();
    } catch (thrown) {
      const { code } = AgentError.from(thrown);
      if (code === 'unauthorized' || !this.state.isListed) this.#report(thrown);
    }
  }

  /** The filter may hide the open session from the list. */
  async #refreshCurrent(): Promise<void> {
    const sessionId = this.state.open?.sessionId;
    if (sessionId === undefined) return;
    const listed = this.state.sessions.find(({ id }) => id === sessionId);
    const current = listed ?? (await this.#options.client.post('/api/session/get', { sessionId }));
    if (this.state.open?.sessionId === sessionId) this.update({ current });
  }

  async filter(change: Partial<Pick<PageState, 'search' | 'isArchive'>>): Promise<void> {
    this.#listed = PAGE;
    this.update(change);
    await this.refresh();
  }

  /** Renames or archives a session, or changes its settings. */
  async configure(change: RequestOf<'/api/session/update'>): Promise<boolean> {
    const isDone = await this.#attempt(() => this.#options.client.post('/api/session/update', change));
    await this.refresh();
    return isDone;
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
    const current = this.state.sessions.find(({ id }) => id === sessionId);
    this.update({ open, current, problem: undefined, draft: '' });
    onOpen(sessionId);
    // The list reports its own errors, the view those of the session.
    if (current === undefined) this.#refreshCurrent().catch(() => undefined);
  }

  /** Creates a session and sends its first message. False on an error. */
  async start({ folder, model, mode, sandbox }: NewSessionInput, message: OutgoingText): Promise<boolean> {
    return this.#attempt(async () => {
      const { sessionId } = await this.#options.client.post('/api/session', {
        ...(folder.trim() !== '' && { workspaceRoot: folder.trim() }),
        ...(model.trim() !== '' && { model: model.trim() }),
        ...(mode !== undefined && { approvalMode: mode }),
        ...(sandbox !== undefined && { sandbox }),
        metadata: { title: toTitle(message.text) },
      });
      this.drafts.set('', '');
      this.open(sessionId);
      await this.#send(message).catch((error: unknown) => {
        // The form with the text is gone.
        this.update({ draft: message.text });
        throw error;
      });
      await this.refresh();
    });
  }

  /** Opens a copy of a session: as it was before the message, whose text is the draft, or whole. */
  async fork(sessionId: string, message?: Pick<UserEntry, 'requestId' | 'text'>): Promise<void> {
    await this.#attempt(async () => {
      const { client } = this.#options;
      const { sessionId: copy } = await client.post('/api/session/fork', { sessionId, requestId: message?.requestId });
      if (message !== undefined) this.drafts.set(copy, message.text);
      this.open(copy);
      await this.refresh();
    });
  }

  async send(message: OutgoingText): Promise<boolean> {
    this.update({ draft: '' });
    return this.#attempt(() => this.#send(message));
  }

  /** Cancels a queued message and restores its text. */
  async takeBack({ requestId, text }: UserEntry): Promise<void> {
    const isDone = await this.#attempt(() => this.#options.client.post('/api/chat/cancel', { requestId }));
    if (isDone) this.update({ draft: text });
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

  /** Downloads the open session. */
  async export(format: 'md' | 'json', title: string): Promise<void> {
    const { open } = this.state;
    if (open === undefined) return;
    await this.#attempt(async () => {
      const { download, readEvents, toFileName, toMarkdown } = await import('../export/export-session.js');
      const text =
        format === 'md'
          ? toMarkdown(title, open.state.conversation)
          : JSON.stringify(await readEvents(this.#options.client, open.sessionId), undefined, 2);
      download(toFileName(title, format), text);
    });
  }

  async links(sessionId: string): Promise<readonly ShareLink[]> {
    return (await this.#options.client.post('/api/session/links/list', { sessionId })).links;
  }

  async createLink(sessionId: string, lifetimeHours: number): Promise<boolean> {
    return this.#attempt(() => this.#options.client.post('/api/session/links/create', { sessionId, lifetimeHours }));
  }

  async revokeLink(sessionId: string, linkId: string): Promise<boolean> {
    return this.#attempt(() => this.#options.client.post('/api/session/links/revoke', { sessionId, linkId }));
  }

  async tasks(sessionId: string): Promise<readonly BackgroundTask[]> {
    return (await this.#options.client.post('/api/tasks/list', { sessionId })).tasks;
  }

  async taskOutput(sessionId: string, taskId: string): Promise<string> {
    return (await this.#options.client.post('/api/tasks/output', { sessionId, taskId })).output;
  }

  async stopTask(sessionId: string, taskId: string): Promise<boolean> {
    return this.#attempt(() => this.#options.client.post('/api/tasks/stop', { sessionId, taskId }));
  }

  async models(): Promise<readonly string[]> {
    const sessionId = this.state.open?.sessionId;
    if (sessionId === undefined) return [];
    const { models } = await this.#options.client.post('/api/models', { sessionId });
    return models.map(({ id }) => id);
  }

  async listFolders(path: string | undefined): Promise<ResponseOf<'/api/folders'>> {
    return this.#options.client.post('/api/folders', path === undefined ? {} : { path });
  }

  async delete(sessionId: string): Promise<void> {
    if (this.state.open?.sessionId === sessionId) this.open(undefined);
    await this.#attempt(() => this.#options.client.post('/api/session/delete', { sessionId }), ['session_not_found']);
    await this.refresh();
  }

  async enter(token: string): Promise<void> {
    this.#options.token.keep(token);
    this.update({ wantsToken: false, problem: undefined, scopes: undefined });
    const sessionId = this.state.open?.sessionId;
    this.state.open?.close();
    this.update({ open: undefined, current: undefined });
    await this.refresh();
    if (!this.state.wantsToken) this.open(sessionId);
  }

  async hints(
    question: Omit<RequestOf<'/api/hints'>, 'sessionId'>,
    signal: AbortSignal,
  ): Promise<readonly Suggestion[]> {
    const sessionId = this.state.open?.sessionId;
    if (sessionId === undefined) return [];
    return (await this.#options.client.post('/api/hints', { ...question, sessionId }, { signal })).suggestions;
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

  async #send({ text, attachments, priority }: OutgoingText): Promise<void> {
    const { open } = this.state;
    if (open === undefined) return;
    const { client, clock } = this.#options;
    const { sessionId } = open;
    const attached = attachments.length > 0 && { attachments: [...attachments] };
    await sendMessage({ client, clock, request: { sessionId, message: text, priority, ...attached } });
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

/** Everything until the server has answered. */
export function mayDo({ scopes }: PageState, scope: TokenScope): boolean {
  return scopes === undefined || scopes.includes('admin') || scopes.includes(scope);
}

function toTitle(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
