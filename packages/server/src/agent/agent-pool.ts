import { AgentError } from '@qwen/protocol';
import type { SessionRecord } from '../store/session-record.js';
import { type AgentLaunch, AgentProcess, launchKey } from './agent-process.js';

export interface AgentPoolOptions {
  readonly launch: AgentLaunch;
  /** Processes at one time. */
  readonly maxLive: number;
  /** A process without a turn sleeps after so long, in milliseconds. */
  readonly idleMs: number;
  readonly onStderr?: ((line: string) => void) | undefined;
  /** An agent of a session is gone. Must not throw. */
  readonly onLeft?: ((sessionId: string) => void) | undefined;
}

interface Place {
  readonly agent: AgentProcess;
  isBusy: boolean;
  idleTimer: NodeJS.Timeout | undefined;
}

/** How much time a process gets to leave when it goes to sleep, in milliseconds. */
const SLEEP_GRACE_MS = 5000;

/**
 * The agents that are awake. A session that says nothing for a while costs no process: its agent leaves and goes on from
 * its own store with the next turn. When all places are taken, the one that has been idle longest makes room.
 */
export class AgentPool {
  readonly #options: AgentPoolOptions;
  /** By session, those used last at the end. */
  readonly #places = new Map<string, Place>();
  readonly #leaving = new Map<string, Promise<void>>();
  readonly #waiting: (() => void)[] = [];
  #isClosed = false;

  constructor(options: AgentPoolOptions) {
    this.#options = options;
  }

  /** How many processes are awake. */
  get size(): number {
    return this.#places.size;
  }

  isAwake(sessionId: string): boolean {
    return this.#places.has(sessionId);
  }

  /**
   * The agent of a session, woken if need be; it is the caller's until `release` or `drop`. Waits for a place.
   * Errors: `cli_not_found`; `cancelled` when the signal aborts first; `shutting_down`.
   */
  async acquire(session: SessionRecord, { signal }: { readonly signal: AbortSignal }): Promise<AgentProcess> {
    for (;;) {
      if (this.#isClosed) throw new AgentError('shutting_down', 'The server is about to end.');
      if (signal.aborted) throw new AgentError('cancelled', 'The turn was cancelled before its agent was awake.');
      const place = this.#places.get(session.id);
      if (place !== undefined && !place.agent.isGone && place.agent.launchKey === launchKey(session)) {
        return this.#take(session.id, place).agent;
      }
      // The next process of a session must find what the one before has written.
      if (place !== undefined) await this.drop(session.id);
      else if (this.#leaving.has(session.id)) await this.#leaving.get(session.id);
      else if (this.#makeRoom()) return this.#wake(session, session.isResumable);
      else await this.#nextChange(signal);
    }
  }

  /** Another process in place of the one that the caller has, told the other thing about going on. */
  async replace(session: SessionRecord, { resume }: { readonly resume: boolean }): Promise<AgentProcess> {
    await this.drop(session.id);
    return this.#wake(session, resume);
  }

  /** The turn is over; the agent may get the next one, or sleep. */
  release(sessionId: string): void {
    const place = this.#places.get(sessionId);
    if (place === undefined) return;
    if (place.agent.isGone || this.#isClosed) {
      void this.drop(sessionId);
      return;
    }
    place.isBusy = false;
    place.idleTimer = setTimeout(() => void this.drop(sessionId), this.#options.idleMs).unref();
    this.#changed();
  }

  /** Ends the agent of a session. Resolves when it is gone. */
  async drop(sessionId: string, { graceMs = SLEEP_GRACE_MS }: { readonly graceMs?: number } = {}): Promise<void> {
    const place = this.#places.get(sessionId);
    if (place === undefined) return this.#leaving.get(sessionId);
    clearTimeout(place.idleTimer);
    this.#places.delete(sessionId);
    const leaving = place.agent.close({ graceMs }).then(() => {
      this.#leaving.delete(sessionId);
      this.#changed();
      this.#options.onLeft?.(sessionId);
    });
    this.#leaving.set(sessionId, leaving);
    await leaving;
  }

  /** Ends all of them. */
  async close(options: { readonly graceMs?: number } = {}): Promise<void> {
    this.#isClosed = true;
    this.#changed();
    await Promise.all([...this.#places.keys()].map((sessionId) => this.drop(sessionId, options)));
    await Promise.all(this.#leaving.values());
  }

  #wake(session: SessionRecord, resume: boolean): AgentProcess {
    const { launch, onStderr } = this.#options;
    const agent = new AgentProcess({ session, launch, resume, onStderr });
    this.#take(session.id, { agent, isBusy: true, idleTimer: undefined });
    return agent;
  }

  #take(sessionId: string, place: Place): Place {
    clearTimeout(place.idleTimer);
    place.isBusy = true;
    this.#places.delete(sessionId);
    this.#places.set(sessionId, place);
    return place;
  }

  /** Whether there is a place; if not, whoever is idle begins to leave. */
  #makeRoom(): boolean {
    if (this.#places.size + this.#leaving.size < this.#options.maxLive) return true;
    if (this.#leaving.size > 0) return false;
    const idle = [...this.#places].find(([, { isBusy }]) => !isBusy)?.[0];
    if (idle !== undefined) void this.drop(idle);
    return false;
  }

  async #nextChange(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /** Everybody looks again, first come first. */
  #changed(): void {
    for (const look of this.#waiting.splice(0)) look();
  }
}
