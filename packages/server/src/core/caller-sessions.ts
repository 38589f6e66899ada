import { builtinCommands, CommandRegistry } from '@qwen/commands';
import { AgentError } from '@qwen/protocol';
import { ADMIN, type Caller, mayDo } from '../guard/access-tokens.js';
import { currentRequest } from '../http/request-context.js';
import type { EventLog } from '../log/event-log.js';
import type { SessionRecord } from '../store/session-record.js';
import type { SessionPage, SessionPageQuery } from '../store/session-store.js';
import { notFound } from '../store/store-errors.js';
import type {
  ApprovalTarget,
  ApprovalVerdict,
  NewMessage,
  NewSession,
  SessionFork,
  SessionService,
  SessionSettings,
} from './session-service.js';

export interface CallerSessionsOptions {
  readonly sessions: SessionService;
  /** Errors: `quota_exceeded`. */
  readonly checkQuota: (caller: Caller) => Promise<void>;
}

const PAGE = 1000;
/** Modes that run more without a question than `default`. */
const FREER_MODES = new Set<SessionRecord['approvalMode'] | undefined>(['auto-edit', 'yolo']);

/**
 * The sessions as the caller of the current HTTP request may use them: its own, shared ones, and all for an
 * administrator. Others do not exist for it. Every API goes through this class.
 */
export class CallerSessions implements SessionService {
  readonly log: Pick<EventLog, 'read' | 'attach'>;
  readonly #sessions: SessionService;
  readonly #checkQuota: CallerSessionsOptions['checkQuota'];
  readonly #builtin = new CommandRegistry([builtinCommands()]);

  constructor({ sessions, checkQuota }: CallerSessionsOptions) {
    this.#sessions = sessions;
    this.#checkQuota = checkQuota;
    this.log = {
      read: async (sessionId, options) => {
        await this.get(sessionId);
        return sessions.log.read(sessionId, options);
      },
      attach: async (sessionId, options) => {
        await this.get(sessionId);
        return sessions.log.attach(sessionId, options);
      },
    };
  }

  async create(session: NewSession): Promise<SessionRecord> {
    checkFreedom(session);
    const created = await this.#sessions.create({ ...session, owner: callerNow().name });
    note(created.id);
    return created;
  }

  async fork(sessionId: string, fork: SessionFork): Promise<SessionRecord> {
    checkFreedom(await this.#visible(sessionId));
    return this.#sessions.fork(sessionId, { ...fork, owner: callerNow().name });
  }

  async get(sessionId: string): Promise<SessionRecord> {
    return this.#visible(sessionId);
  }

  async getOwned(sessionId: string): Promise<SessionRecord> {
    const session = await this.#visible(sessionId);
    const caller = callerNow();
    if (mayDo(caller, 'admin') || session.owner === caller.name) return session;
    throw new AgentError('forbidden', 'Only the owner of the session and administrators can do this.');
  }

  async getChecked(sessionId: string): Promise<SessionRecord> {
    await this.#visible(sessionId);
    return this.#sessions.getChecked(sessionId);
  }

  async list({ limit, afterId }: SessionPageQuery): Promise<SessionPage> {
    if (mayDo(callerNow(), 'admin')) return this.#sessions.list({ limit, afterId });
    if (afterId !== undefined) await this.#visible(afterId);
    const found: SessionRecord[] = [];
    for await (const session of this.#all(afterId)) {
      found.push(session);
      if (found.length > limit) break;
    }
    return { sessions: found.slice(0, limit), hasMore: found.length > limit };
  }

  async count(): Promise<number> {
    if (mayDo(callerNow(), 'admin')) return this.#sessions.count();
    let count = 0;
    for await (const _session of this.#all(undefined)) count += 1;
    return count;
  }

  probe(): Promise<void> {
    return this.#sessions.probe();
  }

  async delete(sessionId: string): Promise<void> {
    await this.getOwned(sessionId);
    await this.#sessions.delete(sessionId);
  }

  async configure(sessionId: string, settings: SessionSettings) {
    await this.getOwned(sessionId);
    if (FREER_MODES.has(settings.approvalMode) && !mayDo(callerNow(), 'approve')) {
      throw new AgentError('forbidden', 'Calls that run without a question need the scope approve.');
    }
    return this.#sessions.configure(sessionId, settings);
  }

  activityOf(sessions: readonly SessionRecord[]) {
    return this.#sessions.activityOf(sessions);
  }

  async updateWorkspace(sessionId: string, workspaceRoot: string) {
    await this.getOwned(sessionId);
    return this.#sessions.updateWorkspace(sessionId, workspaceRoot);
  }

  async addDirectories(sessionId: string, directories: readonly string[]) {
    await this.getOwned(sessionId);
    return this.#sessions.addDirectories(sessionId, directories);
  }

  async directories(sessionId: string) {
    await this.#visible(sessionId);
    return this.#sessions.directories(sessionId);
  }

  async send(sessionId: string, message: NewMessage) {
    await this.#visible(sessionId);
    const caller = callerNow();
    if (!mayDo(caller, 'approve')) this.#checkCommand(message);
    await this.#checkQuota(caller);
    return this.#sessions.send(sessionId, { ...message, sender: caller.name });
  }

  async status(sessionId: string) {
    await this.#visible(sessionId);
    return this.#sessions.status(sessionId);
  }

  async findTurn(requestId: string) {
    const turn = await this.#sessions.findTurn(requestId);
    if (turn === undefined) return undefined;
    const isVisible = await this.#visible(turn.sessionId).then(
      () => true,
      (thrown: unknown) => {
        if (AgentError.is(thrown) && thrown.code === 'session_not_found') return false;
        throw thrown;
      },
    );
    return isVisible ? turn : undefined;
  }

  async cancel(requestId: string) {
    // An invisible turn does not exist, with the same error.
    if ((await this.findTurn(requestId)) === undefined) {
      throw new AgentError('turn_not_found', 'No open turn has this request id.');
    }
    return this.#sessions.cancel(requestId);
  }

  async interrupt(sessionId: string) {
    await this.#visible(sessionId);
    return this.#sessions.interrupt(sessionId);
  }

  async approve(target: ApprovalTarget, verdict: ApprovalVerdict): Promise<void> {
    if ('sessionId' in target) await this.#visible(target.sessionId);
    else if ((await this.findTurn(target.requestId)) === undefined) {
      throw new AgentError('approval_not_found', 'No open approval request matches.');
    }
    await this.#sessions.approve(target, { ...verdict, actor: callerNow().name ?? 'admin' });
  }

  async history(sessionId: string, page: { readonly limit: number; readonly offset: number }) {
    await this.#visible(sessionId);
    return this.#sessions.history(sessionId, page);
  }

  async threads(sessionId: string) {
    await this.#visible(sessionId);
    return this.#sessions.threads(sessionId);
  }

  async tasks(sessionId: string) {
    await this.#visible(sessionId);
    return this.#sessions.tasks(sessionId);
  }

  async taskOutput(sessionId: string, taskId: string) {
    await this.#visible(sessionId);
    return this.#sessions.taskOutput(sessionId, taskId);
  }

  async stopTask(sessionId: string, taskId: string) {
    await this.#visible(sessionId);
    return this.#sessions.stopTask(sessionId, taskId);
  }

  /** Errors: `session_not_found`, also for a session that the caller may not see. */
  async #visible(sessionId: string): Promise<SessionRecord> {
    note(sessionId);
    const session = await this.#sessions.get(sessionId);
    const only = currentRequest()?.onlySessionId;
    if (!canSee(session) || (only !== undefined && only !== sessionId)) throw notFound(sessionId);
    return session;
  }

  async *#all(afterId: string | undefined): AsyncGenerator<SessionRecord> {
    for (let after = afterId; ; ) {
      const { sessions, hasMore } = await this.#sessions.list({ limit: PAGE, afterId: after });
      yield* sessions.filter(canSee);
      after = sessions.at(-1)?.id;
      if (!hasMore || after === undefined) return;
    }
  }

  /** Some change the approval mode, rules or settings. Errors: `forbidden`. */
  #checkCommand({ content, prompt }: NewMessage): void {
    if (prompt !== undefined) return;
    const [only] = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
    if (only?.type !== 'text' || !only.text.trimStart().startsWith('/')) return;
    const words = only.text.trimStart().slice(1).split(/\s+/);
    if (this.#builtin.match(words) === undefined) return;
    throw new AgentError('forbidden', 'Built-in commands need the scope approve.');
  }
}

/** Errors: `forbidden`. */
function checkFreedom({ approvalMode, allowedTools = [], sandbox }: NewSession): void {
  // Commands in a sandbox run without a question.
  const isFreer = FREER_MODES.has(approvalMode) || allowedTools.length > 0 || sandbox !== undefined;
  if (!isFreer || mayDo(callerNow(), 'approve')) return;
  throw new AgentError('forbidden', 'Calls that run without a question need the scope approve.');
}

function callerNow(): Caller {
  const request = currentRequest();
  // Outside a request: the program that embeds the server.
  if (request === undefined) return ADMIN;
  if (request.caller === undefined) throw new AgentError('internal', 'The request has no caller.');
  return request.caller;
}

function canSee({ id, owner, isShared }: SessionRecord): boolean {
  const caller = callerNow();
  const request = currentRequest();
  if (request?.shareLink !== undefined) return request.onlySessionId === id;
  return mayDo(caller, 'admin') || isShared === true || (owner !== undefined && owner === caller.name);
}

/** For the access log. */
function note(sessionId: string): void {
  const request = currentRequest();
  if (request !== undefined) request.sessionId = sessionId;
}
