import { AgentError, type SDKMessage, type SDKResultMessage, sandboxStateSchema } from '@qwen/protocol';
import type { PublicEventBody } from '@qwen/protocol/server';
import type { AgentPool } from '../agent/agent-pool.js';
import type { AgentProcess } from '../agent/agent-process.js';
import { runAgentTurn } from '../agent/run-agent-turn.js';
import type { EventLog } from '../log/event-log.js';
import type { ServerLogger } from '../logging/server-logger.js';
import type { ServerMetrics } from '../metrics/server-metrics.js';
import { errorOfResult, type TurnEnd, toPublicError } from '../projection/turn-ending.js';
import { TurnProjection } from '../projection/turn-projection.js';
import { leaseLost } from '../redis/redis-error.js';
import type { SessionRecord, TurnRecord } from '../store/session-record.js';
import type { SessionStore } from '../store/session-store.js';
import { ApprovalBroker } from './approval-broker.js';
import type { AuditEntry } from './audit-log.js';
import { dayOf } from './check-quota.js';
import { endTurn } from './end-turn.js';
import { messageTaken, scopeOf, toNewEvent, turnEnd, turnStart, userMessage } from './new-events.js';
import type { Offer, Steering } from './steering.js';
import { TurnReport } from './turn-report.js';
import { TurnWriter } from './turn-writer.js';

export interface LiveTurnOptions {
  readonly turn: TurnRecord;
  readonly session: SessionRecord;
  readonly store: SessionStore;
  readonly log: Pick<EventLog, 'append'>;
  readonly agents: AgentPool;
  readonly approvalTimeoutMs: number;
  readonly cancelGraceMs: number;
  readonly audit?: ((entry: AuditEntry) => Promise<void>) | undefined;
  readonly logger?: ServerLogger | undefined;
  readonly metrics?: ServerMetrics | undefined;
  readonly steering: Steering;
  /** See `TurnContext`. */
  readonly revoked?: AbortSignal | undefined;
  readonly leaseTtlMs?: (() => number) | undefined;
  readonly onConversationChange?: (() => Promise<void>) | undefined;
  readonly persistConversation?: (() => Promise<void>) | undefined;
}

type StopReason = 'cancelled' | 'server_shutdown';

/** Runs a turn: projects the messages of the agent to events and appends them. */
export class LiveTurn {
  readonly approvals: ApprovalBroker;
  readonly #options: LiveTurnOptions;
  readonly #projection: TurnProjection;
  readonly #writer: TurnWriter;
  readonly #report: TurnReport;
  readonly #threads = new Set<string>();
  readonly #stopped = new AbortController();
  #stopReason: StopReason | undefined;
  #isStored = false;
  #isWaiting = false;
  #agent: AgentProcess | undefined;
  #killTimer: NodeJS.Timeout | undefined;

  constructor(options: LiveTurnOptions) {
    this.#options = options;
    const { turn, session, log, approvalTimeoutMs, logger, metrics } = options;
    this.#report = new TurnReport({ turn, logger, metrics });
    const scope = scopeOf(turn);
    const threadId = scope.session_thread_id;
    this.#threads.add(threadId);
    this.#projection = new TurnProjection({
      turnId: turn.id,
      requestId: turn.requestId,
      threadId,
      hasIncrements: session.hasIncrements,
    });
    this.#writer = new TurnWriter({ log, sessionId: session.id });
    this.approvals = new ApprovalBroker({
      scope,
      requestId: turn.requestId,
      timeoutMs: approvalTimeoutMs,
      sessionId: session.id,
      policy: session.questionPolicy,
      audit: options.audit,
      logger,
      metrics,
      emit: async (bodies) => {
        // First, so that a client that knows of the question finds the state.
        await this.#noteQuestions();
        await this.#emit(bodies);
        await this.#writer.flush();
      },
    });
  }

  /** Does nothing if another process has started it. Rejects if the end could not be written. */
  async run(): Promise<void> {
    const { revoked } = this.#options;
    this.#checkLease();
    revoked?.addEventListener('abort', this.#abandon);
    try {
      await this.#run();
    } finally {
      // The lease outlives the turn.
      revoked?.removeEventListener('abort', this.#abandon);
    }
  }

  async #run(): Promise<void> {
    const { turn, store } = this.#options;
    if (!(await store.startTurn(turn.id))) return;
    const startedAt = performance.now();
    this.#report.started();
    let end: TurnEnd | undefined;
    try {
      const written = await this.#report.within(() => this.#runAgent(startedAt));
      await this.#writeEnd(written);
      end = written;
    } finally {
      this.#report.ended(end, performance.now() - startedAt);
    }
  }

  async #writeEnd(end: TurnEnd): Promise<void> {
    const { turn, store, log, metrics, persistConversation } = this.#options;
    this.approvals.close();
    clearTimeout(this.#killTimer);
    this.#checkLease();
    await this.#writer.flush();
    await persistConversation?.();
    this.#checkLease();
    const events = turnEnd(turn.id, this.#projection.end(end));
    const reply = end.outcome === 'success' ? (end.result ?? this.#projection.lastText) : this.#projection.lastText;
    const endedAt = Date.now();
    await store.update(turn.sessionId, { lastActivityAt: endedAt });
    await endTurn(turn, { state: end.outcome, reply, endedAt, events }, { store, log, metrics });
  }

  /** The first reason counts. */
  stop(reason: StopReason): void {
    if (this.#stopReason !== undefined) return;
    this.#stopReason = reason;
    this.#stopped.abort();
    this.approvals.close();
    const agent = this.#agent;
    if (agent === undefined) return;
    this.#killTimer = setTimeout(() => void agent.close({ graceMs: 0 }), this.#options.cancelGraceMs);
    agent.interrupt().catch(() => undefined);
  }

  /** Another process has the session; `run()` rejects with `lease_lost`. */
  readonly #abandon = (): void => {
    this.#stopped.abort();
    this.approvals.close();
    void this.#killAgent();
  };

  async #runAgent(startedAt: number): Promise<TurnEnd> {
    const { turn, session, agents } = this.#options;
    try {
      await this.#writer.add([userMessage(turn), ...turnStart(turn)]);
      this.#agent = await agents.acquire(session, { signal: this.#stopped.signal });
      try {
        // Recovery assumes that a turn without `turn.started` in the log has not reached an agent.
        await this.#writer.flush();
        return await this.#consume(this.#agent, startedAt);
      } finally {
        agents.release(session.id);
      }
    } catch (thrown) {
      if (this.#stopReason === undefined) await this.#killAgent();
      return this.#failure(thrown, startedAt);
    }
  }

  async #consume(agent: AgentProcess, startedAt: number): Promise<TurnEnd> {
    const { turn, session, agents, leaseTtlMs } = this.#options;
    this.#report.prompted();
    const messages = runAgentTurn({
      agent,
      turn: {
        id: turn.requestId,
        content: turn.prompt ?? turn.content,
        isLiteral: turn.prompt !== undefined,
        leaseTtlMs,
        trace: this.#report.trace,
        canUseTool: (toolName, input, context) => this.approvals.ask(toolName, input, context),
      },
      replace: async (resume) => {
        this.#agent = await agents.replace(session, { resume });
        return this.#agent;
      },
      signal: this.#stopped.signal,
    });
    let stopOffers: (() => void) | undefined;
    try {
      for await (const message of messages) {
        if (message.type === 'result') {
          await this.#countUsage(message);
          return this.#endOf(message, startedAt);
        }
        // The agent has the prompt, which comes before what steers it.
        stopOffers ??= this.#options.steering.attach((offer) => void this.#offer(offer));
        await this.#accept(message);
      }
    } finally {
      stopOffers?.();
    }
    throw new AgentError('process_exited', 'The agent exited before the turn ended.');
  }

  async #accept(message: Exclude<SDKMessage, SDKResultMessage>): Promise<void> {
    const { onConversationChange } = this.#options;
    if (message.type !== 'system') this.#report.answering();
    // The agent stores the conversation before it sends other messages.
    if (!this.#isStored && message.type !== 'system') {
      this.#isStored = true;
      await this.#markResumable();
      // The next process must find the prompt.
      await onConversationChange?.();
    }
    if (message.type === 'system' && message.subtype === 'init') await this.#noteSandbox(message.sandbox);
    if (message.type === 'user' && message.priority != null) await this.#endTaken(message.uuid ?? '');
    await this.#emit(this.#projection.accept(message));
    // The agent stores tool results before it sends them.
    if (message.type === 'user') void onConversationChange?.();
  }

  /** Never rejects: a message that is not taken keeps its own turn. */
  async #offer({ turnId, priority, signal }: Offer): Promise<void> {
    const { store, steering } = this.#options;
    try {
      const turn = await store.getTurn(turnId);
      if (turn?.state !== 'queued') return steering.remove(turnId);
      const { requestId: id, prompt, content } = turn;
      const message = { id, content: prompt ?? content, isLiteral: prompt !== undefined };
      await this.#agent?.steer(message, { priority, signal });
    } catch {
      // Cancelled, or the agent has exited.
    }
  }

  async #endTaken(requestId: string): Promise<void> {
    const { turn, store, log, metrics, steering } = this.#options;
    const taken = await store.findTurn(requestId);
    if (taken?.sessionId !== turn.sessionId) return;
    steering.remove(taken.id);
    await this.#writer.flush();
    const events = [messageTaken(taken, turn.id)];
    await endTurn(taken, { state: 'success', from: 'queued', endedAt: Date.now(), events }, { store, log, metrics });
  }

  async #countUsage({ usage, total_cost_usd: usd = 0 }: SDKResultMessage): Promise<void> {
    const { turn, store } = this.#options;
    if (turn.sender === undefined) return;
    const tokens = usage.input_tokens + usage.output_tokens;
    await store.addUsage(turn.sender, dayOf(Date.now()), { tokens, usd });
  }

  #endOf(result: SDKResultMessage, startedAt: number): TurnEnd {
    this.#report.answered(result);
    if (result.subtype === 'interrupted' && this.#stopReason === 'server_shutdown') {
      return { outcome: 'interrupted', reason: 'server_shutdown' };
    }
    const { usage, total_cost_usd: costUsd } = result;
    const cost = { durationMs: Math.round(performance.now() - startedAt), usage, costUsd };
    if (result.subtype === 'interrupted') return { ...cost, outcome: 'cancelled' };
    if (result.subtype === 'success') return { ...cost, outcome: 'success', result: result.result };
    return { ...cost, outcome: 'error', error: errorOfResult(result) };
  }

  #failure(thrown: unknown, startedAt: number): TurnEnd {
    if (this.#stopReason === 'server_shutdown') return { outcome: 'interrupted', reason: 'server_shutdown' };
    const durationMs = Math.round(performance.now() - startedAt);
    if (this.#stopReason === 'cancelled') return { outcome: 'cancelled', durationMs };
    return { outcome: 'error', durationMs, error: toPublicError(thrown) };
  }

  async #killAgent(): Promise<void> {
    await this.#options.agents.drop(this.#options.session.id, { graceMs: 0 });
  }

  async #markResumable(): Promise<void> {
    const { session, store } = this.#options;
    if (!session.isResumable) await store.update(session.id, { isResumable: true });
  }

  /** Sessions that never had one stay without the event. */
  async #noteSandbox(reported: unknown): Promise<void> {
    const { turn, session, store } = this.#options;
    const { data: sandbox = 'off' } = sandboxStateSchema.safeParse(reported);
    if (sandbox === session.sandboxState) return;
    await store.update(session.id, { sandboxState: sandbox });
    if (sandbox === 'off' && session.sandboxState === undefined) return;
    await this.#emit([{ ...scopeOf(turn), type: 'session.sandbox', sandbox }]);
  }

  /** For lists of sessions. Questions that the policy answers never wait. */
  async #noteQuestions(): Promise<void> {
    const { session, turn, store } = this.#options;
    const { isWaiting } = this.approvals;
    if ((session.questionPolicy ?? 'wait') !== 'wait' || isWaiting === this.#isWaiting) return;
    this.#isWaiting = isWaiting;
    // A list that is out of date must not deny the call.
    await store.update(session.id, { waitingTurnId: isWaiting ? turn.id : undefined }).catch(() => undefined);
  }

  async #emit(bodies: readonly PublicEventBody[]): Promise<void> {
    this.#checkLease();
    for (const body of bodies) await this.#registerThread(body);
    await this.#writer.add(bodies.map((body) => toNewEvent(body)));
  }

  #checkLease(): void {
    if (this.#options.revoked?.aborted === true) throw leaseLost(this.#options.session.id);
  }

  async #registerThread({ session_thread_id: id, parent_tool_use_id: parent }: PublicEventBody): Promise<void> {
    if (this.#threads.has(id)) return;
    this.#threads.add(id);
    const { turn, store } = this.#options;
    const { sessionId, id: turnId } = turn;
    await store.addThread({ id, sessionId, parentToolUseId: parent ?? null, turnId, createdAt: Date.now() });
  }
}
