import { AgentError } from '@qwen/protocol';
import type { TaskCommand, TaskReply } from '../core/turn-dispatcher.js';
import type { SessionRecord } from '../store/session-record.js';
import { type AgentLaunch, AgentProcess, launchKey } from './agent-process.js';

export interface AgentPoolOptions {
  readonly launch: AgentLaunch;
  readonly maxLive: number;
  readonly idleMs: number;
  readonly onStderr?: ((line: string) => void) | undefined;
  /** Must not throw. */
  readonly onExit?: ((sessionId: string) => void) | undefined;
}

interface PoolSlot {
  readonly agent: AgentProcess;
  isBusy: boolean;
  /** As of the last time that it was idle for long. */
  hasTasks: boolean;
  idleTimer: NodeJS.Timeout | undefined;
}

const IDLE_GRACE_MS = 5000;

/** Between two looks at the background commands of an idle agent. */
const MIN_IDLE_MS = 1000;

/**
 * Idle agents are stopped, after `idleMs` or to make room, and resume with the next turn. Agents whose background
 * commands run are only stopped to make room, after the others.
 */
export class AgentPool {
  readonly #options: AgentPoolOptions;
  /** Least recently used first. */
  readonly #slots = new Map<string, PoolSlot>();
  readonly #exiting = new Map<string, Promise<void>>();
  readonly #waiting: (() => void)[] = [];
  /** When callers that have no agent yet began to wait, in milliseconds of `performance.now()`. */
  readonly #waitingSince = new Set<{ readonly atMs: number }>();
  #isClosed = false;

  constructor(options: AgentPoolOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#slots.size;
  }

  /** Undefined if no caller waits for an agent. */
  get longestWaitMs(): number | undefined {
    const [first] = this.#waitingSince;
    return first && performance.now() - first.atMs;
  }

  get waiting(): number {
    return this.#waitingSince.size;
  }

  has(sessionId: string): boolean {
    return this.#slots.has(sessionId);
  }

  /**
   * Starts the agent if necessary; waits for a free slot. The caller releases or drops it. Errors: `cli_not_found`;
   * `cancelled` by the signal; `shutting_down`.
   */
  async acquire(session: SessionRecord, { signal }: { readonly signal: AbortSignal }): Promise<AgentProcess> {
    const wait = { atMs: performance.now() };
    this.#waitingSince.add(wait);
    try {
      return await this.#acquire(session, signal);
    } finally {
      this.#waitingSince.delete(wait);
    }
  }

  async #acquire(session: SessionRecord, signal: AbortSignal): Promise<AgentProcess> {
    for (;;) {
      if (this.#isClosed) throw new AgentError('shutting_down', 'The server is shutting down.');
      if (signal.aborted) throw new AgentError('cancelled', 'The turn was cancelled before its agent started.');
      const slot = this.#slots.get(session.id);
      if (slot !== undefined && !slot.agent.isGone && slot.agent.launchKey === launchKey(session)) {
        return this.#use(session.id, slot).agent;
      }
      // The next process must find what this one has written.
      if (slot !== undefined) await this.drop(session.id);
      else if (this.#exiting.has(session.id)) await this.#exiting.get(session.id);
      else if (this.#makeRoom()) return this.#start(session, session.isResumable);
      else await this.#nextChange(signal);
    }
  }

  /** False if the session has no agent. Errors: `task_not_found`. */
  async answer(sessionId: string, command: TaskCommand): Promise<TaskReply | boolean> {
    const agent = this.#slots.get(sessionId)?.agent;
    if (agent === undefined || agent.isGone) return false;
    try {
      return await agent.answer(command);
    } catch (thrown) {
      if (agent.isGone) return false;
      throw thrown;
    }
  }

  renew(sessionId: string, ttlMs: number): void {
    this.#slots.get(sessionId)?.agent.renew(ttlMs);
  }

  async replace(session: SessionRecord, { resume }: { readonly resume: boolean }): Promise<AgentProcess> {
    await this.drop(session.id);
    return this.#start(session, resume);
  }

  release(sessionId: string): void {
    const slot = this.#slots.get(sessionId);
    if (slot === undefined) return;
    if (slot.agent.isGone || this.#isClosed) {
      void this.drop(sessionId);
      return;
    }
    slot.isBusy = false;
    this.#watchIdle(sessionId, slot, this.#options.idleMs);
    this.#notify();
  }

  async drop(sessionId: string, { graceMs = IDLE_GRACE_MS }: { readonly graceMs?: number } = {}): Promise<void> {
    const slot = this.#slots.get(sessionId);
    if (slot === undefined) return this.#exiting.get(sessionId);
    clearTimeout(slot.idleTimer);
    this.#slots.delete(sessionId);
    const exiting = slot.agent.close({ graceMs }).then(() => {
      this.#exiting.delete(sessionId);
      this.#notify();
      this.#options.onExit?.(sessionId);
    });
    this.#exiting.set(sessionId, exiting);
    await exiting;
  }

  async close(options: { readonly graceMs?: number } = {}): Promise<void> {
    this.#isClosed = true;
    this.#notify();
    await Promise.all([...this.#slots.keys()].map((sessionId) => this.drop(sessionId, options)));
    await Promise.all(this.#exiting.values());
  }

  #start(session: SessionRecord, resume: boolean): AgentProcess {
    const { launch, onStderr } = this.#options;
    const agent = new AgentProcess({ session, launch, resume, onStderr });
    this.#use(session.id, { agent, isBusy: true, hasTasks: false, idleTimer: undefined });
    return agent;
  }

  #use(sessionId: string, slot: PoolSlot): PoolSlot {
    clearTimeout(slot.idleTimer);
    slot.isBusy = true;
    this.#slots.delete(sessionId);
    this.#slots.set(sessionId, slot);
    return slot;
  }

  #watchIdle(sessionId: string, slot: PoolSlot, idleMs: number): void {
    slot.idleTimer = setTimeout(() => void this.#expire(sessionId, slot), idleMs).unref();
  }

  async #expire(sessionId: string, slot: PoolSlot): Promise<void> {
    const timer = slot.idleTimer;
    const tasks = await slot.agent.listTasks().catch(() => []);
    // A turn has started, or another agent has replaced this one.
    if (slot.idleTimer !== timer || this.#slots.get(sessionId) !== slot || slot.isBusy) return;
    slot.hasTasks = tasks.some(({ status }) => status === 'running');
    if (slot.hasTasks) this.#watchIdle(sessionId, slot, Math.max(MIN_IDLE_MS, this.#options.idleMs));
    else await this.drop(sessionId);
  }

  #makeRoom(): boolean {
    if (this.#slots.size + this.#exiting.size < this.#options.maxLive) return true;
    if (this.#exiting.size > 0) return false;
    const idle = [...this.#slots].filter(([, { isBusy }]) => !isBusy);
    const [sessionId] = idle.find(([, { hasTasks }]) => !hasTasks) ?? idle[0] ?? [];
    if (sessionId !== undefined) void this.drop(sessionId);
    return false;
  }

  async #nextChange(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  #notify(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
