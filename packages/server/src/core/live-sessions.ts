import { AgentError, contentText, defined, type PermissionMode, type SandboxOption } from '@qwen/protocol';
import type { BackgroundTask } from '@qwen/sdk';
import { currentRequest } from '../http/request-context.js';
import type { EventLog } from '../log/event-log.js';
import type { ServerLogger } from '../logging/server-logger.js';
import type { ServerMetrics } from '../metrics/server-metrics.js';
import { endingOf } from '../projection/turn-ending.js';
import { newRequestId, newSessionId, newTurnId, primaryThreadOf } from '../store/session-ids.js';
import type { HistoryItem, SessionChange, SessionRecord, ThreadRecord, TurnRecord } from '../store/session-record.js';
import type { SessionPage, SessionPageQuery } from '../store/session-store.js';
import { checkMessage, checkSandbox } from './check-request.js';
import { endTurn, unlessDeleted } from './end-turn.js';
import { type ForkPorts, forkSession } from './fork-session.js';
import { scopeOf, stepId, turnEnd, userInterrupt, userMessage } from './new-events.js';
import type {
  AddedDirectories,
  ApprovalTarget,
  ApprovalVerdict,
  InterruptResult,
  NewMessage,
  NewSession,
  SessionActivity,
  SessionFork,
  SessionService,
  SessionSettings,
  TurnStatus,
  TurnTicket,
} from './session-service.js';
import type { TaskCommand, TurnDispatcher } from './turn-dispatcher.js';
import { idsOf } from './turn-report.js';
import type { WorkspaceFolders } from './workspace-folders.js';

export interface LiveSessionsOptions extends ForkPorts {
  readonly dispatcher: TurnDispatcher;
  /** Absolute. */
  readonly defaultWorkspace: string;
  readonly folders: WorkspaceFolders;
  readonly defaultApprovalMode: PermissionMode;
  /** The loosest that a session may select. Default: agents decide by their settings. */
  readonly sandboxLimit?: SandboxOption | undefined;
  readonly maxQueuedTurns: number;
  readonly logger?: ServerLogger | undefined;
  readonly metrics?: ServerMetrics | undefined;
}

export class LiveSessions implements SessionService {
  readonly log: Pick<EventLog, 'read' | 'attach'>;
  readonly #options: LiveSessionsOptions;
  #isClosed = false;

  constructor(options: LiveSessionsOptions) {
    this.#options = options;
    this.log = options.log;
  }

  async create(session: NewSession): Promise<SessionRecord> {
    this.#checkOpen();
    const { store, log, folders, defaultWorkspace, defaultApprovalMode } = this.#options;
    const { workspaceRoot, model, approvalMode = defaultApprovalMode, hasIncrements, metadata, details } = session;
    const { owner, isShared, questionPolicy, allowedTools, sandbox } = session;
    checkSandbox(sandbox, this.#options.sandboxLimit);
    if (allowedTools !== undefined && questionPolicy !== 'allow-listed') {
      throw new AgentError('invalid_payload', 'Allowed tools need the question policy allow-listed.');
    }
    const now = Date.now();
    const record: SessionRecord = {
      id: newSessionId(),
      createdAt: now,
      lastActivityAt: now,
      workspaceRoot: await folders.find(workspaceRoot ?? defaultWorkspace, defaultWorkspace),
      directories: [],
      ...(model !== undefined && { model }),
      approvalMode,
      hasIncrements,
      metadata: metadata ?? {},
      details: details ?? {},
      isResumable: false,
      ...defined({ owner, isShared, questionPolicy, allowedTools, sandbox }),
    };
    // A log without a session is harmless; a session without a log is unusable.
    await log.create(record.id);
    await store.create(record, primaryThreadOf(record));
    return record;
  }

  async fork(sessionId: string, fork: SessionFork): Promise<SessionRecord> {
    this.#checkOpen();
    return forkSession(await this.getChecked(sessionId), fork, this.#options);
  }

  get(sessionId: string): Promise<SessionRecord> {
    return this.#options.store.get(sessionId);
  }

  getOwned(sessionId: string): Promise<SessionRecord> {
    return this.get(sessionId);
  }

  async getChecked(sessionId: string): Promise<SessionRecord> {
    const session = await this.get(sessionId);
    await this.#options.folders.check([session.workspaceRoot, ...session.directories]);
    return session;
  }

  list(query: SessionPageQuery): Promise<SessionPage> {
    return this.#options.store.list(query);
  }

  count(): Promise<number> {
    return this.#options.store.count();
  }

  probe(): Promise<void> {
    return this.#options.store.probe();
  }

  async delete(sessionId: string): Promise<void> {
    this.#checkOpen();
    const { store, log, dispatcher, deleteConversation } = this.#options;
    const session = await store.get(sessionId);
    await this.#stopAll(await store.openTurns(sessionId));
    await dispatcher.dispatch(sessionId, { kind: 'leave' });
    // Last, so that an incomplete deletion can be retried.
    await unlessDeleted(() => log.delete(sessionId));
    await deleteConversation(session);
    await store.delete(sessionId);
  }

  configure(sessionId: string, { title, model, effort, ...others }: SessionSettings): Promise<SessionRecord> {
    // A store removes undefined members.
    return this.#change(sessionId, {
      ...defined(others),
      ...(title !== undefined && { title: title ?? undefined }),
      ...(model !== undefined && { model: model ?? undefined }),
      ...(effort !== undefined && { effort: effort ?? undefined }),
    });
  }

  async activityOf(sessions: readonly SessionRecord[]): Promise<readonly SessionActivity[]> {
    const open = await this.#options.store.openTurns(sessions.length === 1 ? sessions[0]?.id : undefined);
    const turns = new Map(open.map(({ id, sessionId }) => [id, sessionId]));
    const busy = new Set(turns.values());
    return sessions.map(({ id, waitingTurnId }) => {
      if (!busy.has(id)) return 'idle';
      return waitingTurnId !== undefined && turns.has(waitingTurnId) ? 'waiting' : 'running';
    });
  }

  async updateWorkspace(sessionId: string, workspaceRoot: string): Promise<SessionRecord> {
    await this.get(sessionId);
    const { folders, defaultWorkspace } = this.#options;
    return this.#change(sessionId, { workspaceRoot: await folders.find(workspaceRoot, defaultWorkspace) });
  }

  async addDirectories(sessionId: string, directories: readonly string[]): Promise<AddedDirectories> {
    const session = await this.get(sessionId);
    const { folders, added, errors } = await this.#options.folders.sort(directories, session.workspaceRoot);
    const known = new Set([...session.directories, ...folders]);
    known.delete(session.workspaceRoot);
    if (known.size > session.directories.length) await this.#change(sessionId, { directories: [...known] });
    return { added, errors };
  }

  async directories(sessionId: string): Promise<readonly string[]> {
    const { workspaceRoot, directories } = await this.get(sessionId);
    return [workspaceRoot, ...directories];
  }

  async send(sessionId: string, message: NewMessage): Promise<TurnTicket> {
    this.#checkOpen();
    const { store, log, dispatcher, maxQueuedTurns, logger } = this.#options;
    const content = checkMessage(message);
    await this.getChecked(sessionId);
    const { clientKey, prompt, sender, whenBusy = 'queue' } = message;
    const createdAt = Date.now();
    const wanted: TurnRecord = {
      id: newTurnId(),
      sessionId,
      requestId: newRequestId(createdAt),
      content,
      ...defined({ prompt, clientKey, sender }),
      state: 'queued',
      createdAt,
    };
    const turn = await store.addTurn({
      turn: wanted,
      historyText: contentText(content),
      maxOpenTurns: whenBusy === 'queue' ? maxQueuedTurns : 0,
      refusal: whenBusy === 'queue' ? 'overloaded' : 'session_busy',
    });
    if (turn.id !== wanted.id) return this.#ticketOf(turn);
    try {
      const [receipt] = await log.append(sessionId, [userMessage(turn)]);
      await store.update(sessionId, { lastActivityAt: createdAt });
      logger?.info({ ...idsOf(turn), http_request_id: currentRequest()?.id }, 'message accepted');
      return { turnId: turn.id, requestId: turn.requestId, startSeq: receipt?.seq ?? 0 };
    } finally {
      // A stored turn must run or end, or it would block the session.
      await dispatcher.enqueue(turn);
      void this.#steer(turn, message.priority);
    }
  }

  /** Never rejects. Not awaited: a worker may be lost, and a message that reaches no running turn keeps its own. */
  async #steer({ id: turnId, sessionId }: TurnRecord, priority: NewMessage['priority']): Promise<void> {
    if (priority === undefined || priority === 'later') return;
    const { dispatcher, logger } = this.#options;
    try {
      await dispatcher.dispatch(sessionId, { kind: 'steer', turnId, priority });
    } catch (thrown) {
      logger?.warn({ turn_id: turnId, error: String(thrown) }, 'message not offered to the running turn');
    }
  }

  async status(sessionId: string): Promise<'idle' | 'processing'> {
    return (await this.#options.store.openTurns(sessionId)).length === 0 ? 'idle' : 'processing';
  }

  async findTurn(requestId: string): Promise<TurnStatus | undefined> {
    const turn = await this.#options.store.findTurn(requestId);
    return turn === undefined ? undefined : toStatus(turn);
  }

  async cancel(requestId: string): Promise<TurnStatus> {
    const turn = await this.#options.store.findTurn(requestId);
    if (turn === undefined || !(await this.#stop(turn))) {
      throw new AgentError('turn_not_found', 'No open turn has this request id.');
    }
    return toStatus(turn);
  }

  async interrupt(sessionId: string): Promise<InterruptResult> {
    const { store, log } = this.#options;
    const open = await store.openTurns(sessionId);
    const [receipt] = await log.append(sessionId, [userInterrupt(sessionId, open[0]?.id)]);
    return { turns: await this.#stopAll(open), seq: receipt?.seq ?? 0 };
  }

  async approve(target: ApprovalTarget, verdict: ApprovalVerdict): Promise<void> {
    if (!(await this.#answer(target, verdict))) {
      throw new AgentError('approval_not_found', 'No open approval request matches.');
    }
  }

  history(
    sessionId: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly items: readonly HistoryItem[]; readonly total: number }> {
    return this.#options.store.history(sessionId, page);
  }

  threads(sessionId: string): Promise<readonly ThreadRecord[]> {
    return this.#options.store.threads(sessionId);
  }

  async tasks(sessionId: string): Promise<readonly BackgroundTask[]> {
    const { store, dispatcher } = this.#options;
    await store.get(sessionId);
    const reply = await dispatcher.dispatch(sessionId, { kind: 'list-tasks' });
    return typeof reply === 'object' && 'tasks' in reply ? reply.tasks : [];
  }

  async taskOutput(sessionId: string, taskId: string): Promise<string> {
    const reply = await this.#askTask(sessionId, { kind: 'task-output', taskId });
    return typeof reply === 'object' && 'output' in reply ? reply.output : '';
  }

  async stopTask(sessionId: string, taskId: string): Promise<void> {
    await this.#askTask(sessionId, { kind: 'stop-task', taskId });
  }

  close(): void {
    this.#isClosed = true;
  }

  async #ticketOf(turn: TurnRecord): Promise<TurnTicket> {
    const { log } = this.#options;
    const { id: turnId, sessionId, requestId, state } = turn;
    const known = await log.seqOf(sessionId, stepId(turnId, 'user'));
    // The first request with this key may not have logged it yet.
    const isOpen = state === 'queued' || state === 'running';
    const [receipt] = known === undefined && isOpen ? await log.append(sessionId, [userMessage(turn)]) : [];
    // 0 if the event was evicted.
    return { turnId, requestId, startSeq: known ?? receipt?.seq ?? 0 };
  }

  /** From last to first, so that none of them starts meanwhile. */
  async #stopAll(turns: readonly TurnRecord[]): Promise<number> {
    let stopped = 0;
    for (const turn of turns.toReversed()) if (await this.#stop(turn)) stopped += 1;
    return stopped;
  }

  async #stop(turn: TurnRecord): Promise<boolean> {
    const { store, log, dispatcher, metrics } = this.#options;
    const { id: turnId, sessionId, requestId } = turn;
    if (turn.state !== 'queued' && turn.state !== 'running') return false;
    if (await dispatcher.dispatch(sessionId, { kind: 'cancel', turnId })) return true;
    const end = { outcome: 'cancelled', durationMs: 0 } as const;
    const bodies = endingOf({ scope: scopeOf(turn), requestId, lastText: '' }, end);
    // An earlier turn still runs.
    const events = turnEnd(
      turnId,
      bodies.filter(({ type }) => type !== 'session.status_idle'),
    );
    const ending = { state: 'cancelled', from: 'queued', endedAt: Date.now(), events } as const;
    if (await endTurn(turn, ending, { store, log, metrics })) return true;
    // It has started meanwhile.
    return (await dispatcher.dispatch(sessionId, { kind: 'cancel', turnId })) === true;
  }

  async #answer(target: ApprovalTarget, verdict: ApprovalVerdict): Promise<boolean> {
    const { store, dispatcher } = this.#options;
    if ('approvalId' in target) {
      const { sessionId, approvalId } = target;
      await store.get(sessionId);
      return (await dispatcher.dispatch(sessionId, { kind: 'approve', approvalId, verdict })) === true;
    }
    const turn = await store.findTurn(target.requestId);
    if (turn === undefined) return false;
    const { id: turnId, sessionId } = turn;
    const answer = { kind: 'approve', turnId, toolUseId: target.toolUseId, verdict } as const;
    return (await dispatcher.dispatch(sessionId, answer)) === true;
  }

  async #askTask(sessionId: string, command: Extract<TaskCommand, { taskId: string }>) {
    const { store, dispatcher } = this.#options;
    await store.get(sessionId);
    const reply = await dispatcher.dispatch(sessionId, command);
    if (reply !== false) return reply;
    throw new AgentError('task_not_found', `The session has no background command ${command.taskId}.`);
  }

  #change(sessionId: string, change: SessionChange): Promise<SessionRecord> {
    this.#checkOpen();
    return this.#options.store.update(sessionId, change);
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new AgentError('shutting_down', 'The server is shutting down.');
  }
}

function toStatus({ id, requestId, sessionId, state }: TurnRecord): TurnStatus {
  return { turnId: id, requestId, sessionId, state };
}
