import type { SDKResultMessage } from '@qwen/protocol';
import type { PublicEventBody } from '@qwen/protocol/server';
import type { AgentPool } from '../agent/agent-pool.js';
import type { AgentProcess } from '../agent/agent-process.js';
import type { EventLog } from '../log/event-log.js';
import { errorOfResult, type TurnEnd, toPublicError } from '../projection/turn-ending.js';
import { TurnProjection } from '../projection/turn-projection.js';
import { leaseLost } from '../redis/redis-error.js';
import type { SessionRecord, TurnRecord } from '../store/session-record.js';
import type { SessionStore } from '../store/session-store.js';
import { ApprovalDesk } from './approval-desk.js';
import { converse } from './converse.js';
import { endTurn } from './end-turn.js';
import { placeOf, toNewEvent, turnEnd, turnStart } from './new-events.js';
import { TurnJournal } from './turn-journal.js';

export interface LiveTurnOptions {
  readonly turn: TurnRecord;
  readonly session: SessionRecord;
  readonly store: SessionStore;
  readonly log: Pick<EventLog, 'append'>;
  readonly agents: AgentPool;
  /** How long a permission question waits, in milliseconds. */
  readonly approvalTimeoutMs: number;
  /** How long an agent gets to stop a turn before its process is ended, in milliseconds. */
  readonly cancelGraceMs: number;
  /** See `TurnPlaces`. Default: nobody else can have the session, and the conversation stays with the agent. */
  readonly lost?: AbortSignal | undefined;
  readonly onConversation?: (() => void) | undefined;
  readonly saveConversation?: (() => Promise<void>) | undefined;
}

type StopReason = 'cancelled' | 'server_shutdown';

/** A turn while it runs: what the agent says becomes events, until it has ended in one way or another. */
export class LiveTurn {
  readonly desk: ApprovalDesk;
  readonly #options: LiveTurnOptions;
  readonly #projection: TurnProjection;
  readonly #journal: TurnJournal;
  readonly #place: ReturnType<typeof placeOf>;
  readonly #threads = new Set<string>();
  readonly #stopped = new AbortController();
  #stopReason: StopReason | undefined;
  #agent: AgentProcess | undefined;
  #killTimer: NodeJS.Timeout | undefined;

  constructor(options: LiveTurnOptions) {
    this.#options = options;
    const { turn, session, log, approvalTimeoutMs } = options;
    this.#place = placeOf(turn);
    const threadId = this.#place.session_thread_id;
    this.#threads.add(threadId);
    this.#projection = new TurnProjection({
      turnId: turn.id,
      requestId: turn.requestId,
      threadId,
      hasIncrements: session.hasIncrements,
    });
    this.#journal = new TurnJournal({ log, sessionId: session.id });
    this.desk = new ApprovalDesk({
      place: this.#place,
      requestId: turn.requestId,
      timeoutMs: approvalTimeoutMs,
      tell: async (bodies) => {
        await this.#tell(bodies);
        await this.#journal.flush();
      },
    });
  }

  /** Plays it to its end, unless somebody else has it. Rejects when the end could not be written. */
  async play(): Promise<void> {
    const { turn, store, log, lost, saveConversation } = this.#options;
    this.#checkOurs();
    lost?.addEventListener('abort', () => this.#abandon(), { once: true });
    if (!(await store.startTurn(turn.id))) return;
    const startedAt = performance.now();
    const end = await this.#converse(startedAt);
    this.desk.close();
    clearTimeout(this.#killTimer);
    this.#checkOurs();
    await this.#journal.flush();
    await saveConversation?.();
    this.#checkOurs();
    const events = turnEnd(turn.id, this.#projection.end(end));
    const reply = end.outcome === 'success' ? (end.result ?? this.#projection.lastText) : this.#projection.lastText;
    const endedAt = Date.now();
    await store.update(turn.sessionId, { lastActivityAt: endedAt });
    await endTurn(turn, { state: end.outcome, reply, endedAt, events }, { store, log });
  }

  /** Stops it; its end follows. The first reason counts. */
  stop(reason: StopReason): void {
    if (this.#stopReason !== undefined) return;
    this.#stopReason = reason;
    this.#stopped.abort();
    this.desk.close();
    const agent = this.#agent;
    if (agent === undefined) return;
    // An agent that does not stop when it is told to does not get the last word.
    this.#killTimer = setTimeout(() => void agent.close({ graceMs: 0 }), this.#options.cancelGraceMs);
    agent.interrupt().catch(() => undefined);
  }

  /** Somebody else has the session: nothing more is written, and `play` rejects with `lease_lost`. */
  #abandon(): void {
    this.#stopped.abort();
    this.desk.close();
    void this.#interruptQuietly();
  }

  async #converse(startedAt: number): Promise<TurnEnd> {
    const { turn, session, agents } = this.#options;
    try {
      await this.#journal.add(turnStart(turn));
      this.#agent = await agents.acquire(session, { signal: this.#stopped.signal });
      try {
        // A turn that the log knows nothing of may be played by somebody else: the agent has not heard of it.
        await this.#journal.flush();
        const result = await converse({
          agent: this.#agent,
          turn: {
            content: turn.prompt ?? turn.content,
            isLiteral: turn.prompt !== undefined,
            canUseTool: (toolName, input, context) => this.desk.ask(toolName, input, context),
          },
          onMessage: async (message) => {
            await this.#tell(this.#projection.accept(message));
            // Results of tools stand in the conversation by now.
            if (message.type === 'user') this.#options.onConversation?.();
          },
          onStored: async () => {
            await this.#markResumable();
            this.#options.onConversation?.();
          },
          again: async (resume) => {
            this.#agent = await agents.replace(session, { resume });
            return this.#agent;
          },
          signal: this.#stopped.signal,
        });
        return this.#endOf(result, startedAt);
      } finally {
        agents.release(session.id);
      }
    } catch (thrown) {
      if (this.#stopReason === undefined) await this.#interruptQuietly();
      return this.#failure(thrown, startedAt);
    }
  }

  #endOf(result: SDKResultMessage, startedAt: number): TurnEnd {
    const isInterrupted = result.subtype === 'interrupted';
    if (isInterrupted && this.#stopReason === 'server_shutdown') {
      return { outcome: 'interrupted', reason: 'server_shutdown' };
    }
    const { usage } = result;
    const durationMs = Math.round(performance.now() - startedAt);
    if (isInterrupted) return { outcome: 'cancelled', durationMs, usage };
    if (!result.is_error) return { outcome: 'success', durationMs, usage, result: result.result };
    return { outcome: 'error', durationMs, usage, error: errorOfResult(result) };
  }

  #failure(thrown: unknown, startedAt: number): TurnEnd {
    if (this.#stopReason === 'server_shutdown') return { outcome: 'interrupted', reason: 'server_shutdown' };
    const durationMs = Math.round(performance.now() - startedAt);
    if (this.#stopReason === 'cancelled') return { outcome: 'cancelled', durationMs };
    return { outcome: 'error', durationMs, error: toPublicError(thrown) };
  }

  /** Whatever went wrong on our side, the agent must not go on unheard. */
  async #interruptQuietly(): Promise<void> {
    await this.#options.agents.drop(this.#options.session.id, { graceMs: 0 });
  }

  async #markResumable(): Promise<void> {
    const { session, store } = this.#options;
    if (!session.isResumable) await store.update(session.id, { isResumable: true });
  }

  async #tell(bodies: readonly PublicEventBody[]): Promise<void> {
    this.#checkOurs();
    for (const body of bodies) await this.#knowThread(body);
    await this.#journal.add(bodies.map((body) => toNewEvent(body)));
  }

  #checkOurs(): void {
    if (this.#options.lost?.aborted === true) throw leaseLost(this.#options.session.id);
  }

  /** A thread is in the list before its first event is. */
  async #knowThread({ session_thread_id: id, parent_tool_use_id: parent }: PublicEventBody): Promise<void> {
    if (this.#threads.has(id)) return;
    this.#threads.add(id);
    const { turn, store } = this.#options;
    const { sessionId, id: turnId } = turn;
    await store.addThread({ id, sessionId, parentToolUseId: parent ?? null, turnId, createdAt: Date.now() });
  }
}
