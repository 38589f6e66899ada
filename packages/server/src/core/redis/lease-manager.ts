import { setTimeout as delay } from 'node:timers/promises';
import type { TurnCommand } from '../turn-dispatcher.js';
import { LeasedSession, type LeasedSessionOptions } from './leased-session.js';
import type { Ack } from './rpc-messages.js';
import type { Lease, SessionLeases } from './session-leases.js';

export interface LeaseManagerOptions {
  readonly leases: SessionLeases;
  readonly worker: LeasedSessionOptions['worker'];
  readonly maxBusy: number;
  /** Stores under a fence. */
  readonly contextOf: (lease: Lease) => Pick<LeasedSessionOptions, 'store' | 'log' | 'conversation'>;
  /** Called after each renewal; may reject. */
  readonly onRound: () => Promise<void>;
  /** Must not throw. */
  readonly onNotice: (notice: string) => void;
}

const ROUNDS = 6;
const TRUSTED = 0.75;

/** Leases up to `maxBusy` sessions with open turns for one worker. */
export class LeaseManager {
  readonly #options: LeaseManagerOptions;
  readonly #sessions = new Map<string, LeasedSession>();
  readonly #timer: NodeJS.Timeout;
  #taking: Promise<void> | undefined;
  #isDue = false;
  #isDown = false;
  #isRenewing = false;
  #isClosed = false;

  constructor(options: LeaseManagerOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#round(), options.leases.leaseMs / ROUNDS);
    this.take();
  }

  /** A call during a run starts another one. */
  take(): void {
    this.#isDue = true;
    this.#taking ??= this.#takeReady().finally(() => {
      this.#taking = undefined;
      if (this.#isDue && !this.#isClosed) this.take();
    });
  }

  /** It has a new turn, or its agent has exited. */
  wake(sessionId: string): void {
    this.#sessions.get(sessionId)?.wake();
  }

  async handle(sessionId: string, command: TurnCommand): Promise<Ack> {
    const session = this.#sessions.get(sessionId);
    if (session === undefined || session.isRevoked) return 'elsewhere';
    if (command.kind === 'leave') session.finish();
    const isHandled = await this.#options.worker.handle(sessionId, command);
    if (command.kind === 'leave') await session.done;
    return isHandled ? 'yes' : 'no';
  }

  /** Gives running turns `graceMs` to end and releases all leases. */
  async close({ graceMs }: { readonly graceMs: number }): Promise<void> {
    this.#isClosed = true;
    await this.#taking;
    const sessions = [...this.#sessions.values()];
    for (const session of sessions) session.finish();
    const ended = Promise.all(sessions.map(({ done }) => done));
    const timer = new AbortController();
    const graceIsOver = delay(graceMs, 'late', { signal: timer.signal }).catch(() => undefined);
    if ((await Promise.race([ended, graceIsOver])) === 'late') await this.#options.worker.stop();
    timer.abort();
    await ended;
    clearInterval(this.#timer);
  }

  async #takeReady(): Promise<void> {
    const { leases, maxBusy, onNotice } = this.#options;
    this.#isDue = false;
    try {
      while (!this.#isClosed && this.#busy < maxBusy) {
        const takenAtMs = performance.now();
        const lease = await leases.take();
        this.#isDown = false;
        if (lease === undefined) return;
        await this.#start(lease, takenAtMs);
      }
    } catch (thrown) {
      // The next round retries.
      if (!this.#isClosed && !this.#isDown) onNotice(`cannot lease sessions: ${String(thrown)}`);
      this.#isDown = true;
    }
  }

  async #start(lease: Lease, takenAtMs: number): Promise<void> {
    const { leases, worker, contextOf, onNotice } = this.#options;
    const { sessionId } = lease;
    // Its lease expired because this process was slow.
    const previous = this.#sessions.get(sessionId);
    previous?.revoke();
    await previous?.done;
    const session = new LeasedSession({
      ...contextOf(lease),
      lease,
      takenAtMs,
      leases,
      worker,
      onNotice,
      onIdle: () => this.take(),
    });
    this.#sessions.set(sessionId, session);
    void session.done.then(() => {
      if (this.#sessions.get(sessionId) === session) this.#sessions.delete(sessionId);
      this.take();
    });
  }

  #round(): void {
    const { leases, onRound, onNotice } = this.#options;
    const oldestMs = performance.now() - leases.leaseMs * TRUSTED;
    for (const session of this.#sessions.values()) {
      if (session.renewedAtMs < oldestMs && !session.isRevoked) {
        onNotice(`session ${session.lease.sessionId}: could not renew its lease in time`);
        session.revoke();
      }
      // Finds what was published while disconnected.
      session.wake();
    }
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    this.#renew()
      .then(onRound)
      // The leases expire.
      .catch(() => undefined)
      .finally(() => {
        this.#isRenewing = false;
      });
    if (!this.#isClosed) this.take();
  }

  async #renew(): Promise<void> {
    const { leases, onNotice } = this.#options;
    const sessions = [...this.#sessions.values()].filter(({ isRevoked }) => !isRevoked);
    const askedAtMs = performance.now();
    const lost = await leases.renew(sessions.map(({ lease }) => lease));
    for (const session of sessions) {
      if (!lost.has(session.lease.sessionId)) session.renewedAtMs = askedAtMs;
      else if (!session.isRevoked && this.#sessions.get(session.lease.sessionId) === session) {
        onNotice(`session ${session.lease.sessionId}: another process has taken it over`);
        session.revoke();
      }
    }
  }

  get #busy(): number {
    return [...this.#sessions.values()].filter(({ isBusy }) => isBusy).length;
  }
}
