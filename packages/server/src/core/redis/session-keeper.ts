import { setTimeout as delay } from 'node:timers/promises';
import type { TurnWord } from '../turn-dispatcher.js';
import { HeldSession, type HeldSessionOptions } from './held-session.js';
import type { Heard } from './post-words.js';
import type { Lease, SessionLeases } from './session-leases.js';

export interface SessionKeeperOptions {
  readonly leases: SessionLeases;
  readonly worker: HeldSessionOptions['worker'];
  /** Sessions with turns at one time. */
  readonly maxBusy: number;
  /** Where a session under a lease lives. */
  readonly placesOf: (lease: Lease) => Pick<HeldSessionOptions, 'store' | 'log' | 'conversation'>;
  /** Called now and then, for what processes that are gone have left. May reject. */
  readonly onRound: () => Promise<void>;
  /** Must not throw. */
  readonly onRemark: (remark: string) => void;
}

/** A lease is renewed so many times in its life … */
const ROUNDS = 6;
/** … and not trusted beyond this part of it: by its end another process may have the session. */
const TRUSTED = 0.75;

/** The sessions of one worker: takes those with work, as many as it has room for, and keeps their leases alive. */
export class SessionKeeper {
  readonly #options: SessionKeeperOptions;
  readonly #held = new Map<string, HeldSession>();
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void> | undefined;
  #isDue = false;
  /** Said already. */
  #isDown = false;
  #isRenewing = false;
  #isClosed = false;

  constructor(options: SessionKeeperOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#round(), options.leases.leaseMs / ROUNDS);
    this.look();
  }

  /** Takes what is there to be taken. Calls while it looks make it look once more. */
  look(): void {
    this.#isDue = true;
    this.#looking ??= this.#take().finally(() => {
      this.#looking = undefined;
      if (this.#isDue && !this.#isClosed) this.look();
    });
  }

  /** A session that is held has something new, or its agent has left. */
  wake(sessionId: string): void {
    this.#held.get(sessionId)?.wake();
  }

  async hear(sessionId: string, word: TurnWord): Promise<Heard> {
    const held = this.#held.get(sessionId);
    if (held === undefined || held.isLost) return 'elsewhere';
    if (word.kind === 'leave') held.finish();
    const isHeard = await this.#options.worker.hear(sessionId, word);
    if (word.kind === 'leave') await held.done;
    return isHeard ? 'yes' : 'no';
  }

  /** Takes nothing more, gives running turns so long to end, stops the rest and gives all sessions back. */
  async close({ graceMs }: { readonly graceMs: number }): Promise<void> {
    this.#isClosed = true;
    await this.#looking;
    const held = [...this.#held.values()];
    for (const each of held) each.finish();
    const ended = Promise.all(held.map(({ done }) => done));
    const timer = new AbortController();
    const graceIsOver = delay(graceMs, 'late', { signal: timer.signal }).catch(() => undefined);
    if ((await Promise.race([ended, graceIsOver])) === 'late') await this.#options.worker.stop();
    timer.abort();
    await ended;
    clearInterval(this.#timer);
  }

  async #take(): Promise<void> {
    const { leases, maxBusy, onRemark } = this.#options;
    this.#isDue = false;
    try {
      while (!this.#isClosed && this.#busy < maxBusy) {
        const takenAtMs = performance.now();
        const lease = await leases.take();
        this.#isDown = false;
        if (lease === undefined) return;
        await this.#hold(lease, takenAtMs);
      }
    } catch (thrown) {
      // The next round looks again.
      if (!this.#isClosed && !this.#isDown) onRemark(`no session can be taken: ${String(thrown)}`);
      this.#isDown = true;
    }
  }

  async #hold(lease: Lease, takenAtMs: number): Promise<void> {
    const { leases, worker, placesOf, onRemark } = this.#options;
    const { sessionId } = lease;
    // Our own, from before we were so slow that we lost it.
    const before = this.#held.get(sessionId);
    before?.lose();
    await before?.done;
    const held = new HeldSession({
      ...placesOf(lease),
      lease,
      takenAtMs,
      leases,
      worker,
      onRemark,
      onChange: () => this.look(),
    });
    this.#held.set(sessionId, held);
    void held.done.then(() => {
      if (this.#held.get(sessionId) === held) this.#held.delete(sessionId);
      this.look();
    });
  }

  #round(): void {
    const { leases, onRound, onRemark } = this.#options;
    const oldestMs = performance.now() - leases.leaseMs * TRUSTED;
    for (const held of this.#held.values()) {
      if (held.renewedAtMs < oldestMs && !held.isLost) {
        onRemark(`session ${held.lease.sessionId}: its lease could not be renewed in time`);
        held.lose();
      }
      // What was said while nobody listened is found here.
      held.wake();
    }
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    this.#renew()
      .then(onRound)
      // A store that does not answer shows in the leases, which run out.
      .catch(() => undefined)
      .finally(() => {
        this.#isRenewing = false;
      });
    if (!this.#isClosed) this.look();
  }

  async #renew(): Promise<void> {
    const { leases, onRemark } = this.#options;
    const held = [...this.#held.values()].filter(({ isLost }) => !isLost);
    const askedAtMs = performance.now();
    const lost = await leases.renew(held.map(({ lease }) => lease));
    for (const each of held) {
      if (!lost.has(each.lease.sessionId)) each.renewedAtMs = askedAtMs;
      else if (!each.isLost && this.#held.get(each.lease.sessionId) === each) {
        onRemark(`session ${each.lease.sessionId}: another process has taken it over`);
        each.lose();
      }
    }
  }

  get #busy(): number {
    return [...this.#held.values()].filter(({ isBusy }) => isBusy).length;
  }
}
