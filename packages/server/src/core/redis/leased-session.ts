import { setTimeout as delay } from 'node:timers/promises';
import { AgentError } from '@qwen/protocol';
import type { EventLog } from '../../log/event-log.js';
import type { TurnRecord } from '../../store/session-record.js';
import type { SessionStore } from '../../store/session-store.js';
import { flushOutbox } from '../end-turn.js';
import { stepId, userMessage } from '../new-events.js';
import { TurnCloser } from '../turn-closer.js';
import type { SharedWorker } from '../turn-dispatcher.js';
import type { ConversationSync } from './conversation-sync.js';
import type { Lease, SessionLeases } from './session-leases.js';

export interface LeasedSessionOptions {
  readonly lease: Lease;
  /** `performance.now()` before the request. */
  readonly takenAtMs: number;
  readonly leases: SessionLeases;
  readonly store: SessionStore;
  readonly log: Pick<EventLog, 'append' | 'read' | 'seqOf'>;
  readonly conversation: ConversationSync;
  readonly worker: SharedWorker;
  /** No open turn. Must not throw. */
  readonly onIdle: () => void;
  /** Must not throw. */
  readonly onNotice: (notice: string) => void;
}

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 5000;

/** A session leased by this process. Runs its open turns in order; keeps the lease until the agent exits. */
export class LeasedSession {
  readonly done: Promise<void>;
  /** Set by the manager. */
  renewedAtMs: number;
  readonly #options: LeasedSessionOptions;
  readonly #revoked = new AbortController();
  readonly #finishing = new AbortController();
  #woken = Promise.withResolvers<void>();
  #isRestored = false;
  #isDirty = false;
  #isBusy = true;
  #failedTurnId: string | undefined;

  constructor(options: LeasedSessionOptions) {
    this.#options = options;
    this.renewedAtMs = options.takenAtMs;
    this.done = this.#run();
  }

  get lease(): Lease {
    return this.#options.lease;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  get isRevoked(): boolean {
    return this.#revoked.signal.aborted;
  }

  wake(): void {
    this.#woken.resolve();
  }

  finish(): void {
    this.#finishing.abort();
    this.wake();
  }

  /** Another process may have the session. */
  revoke(): void {
    this.#revoked.abort();
    this.wake();
  }

  get #isEnding(): boolean {
    return this.#finishing.signal.aborted;
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    const { worker, conversation, onNotice } = this.#options;
    const { sessionId } = this.lease;
    const hurried = AbortSignal.any([this.#revoked.signal, this.#finishing.signal]);
    let isDeleted = false;
    for (let waitMs = FIRST_RETRY_MS; !this.isRevoked; ) {
      try {
        if (!(await this.#step())) return;
        waitMs = FIRST_RETRY_MS;
      } catch (thrown) {
        const { code } = AgentError.from(thrown);
        isDeleted = code === 'session_not_found';
        if (isDeleted) break;
        if (!this.isRevoked) onNotice(`session ${sessionId}: ${String(thrown)}`);
        if (code === 'lease_lost') break;
        // The lease expires.
        if (this.#isEnding) break;
        await delay(waitMs, undefined, { signal: hurried }).catch(() => undefined);
        waitMs = Math.min(waitMs * 2, LAST_RETRY_MS);
      }
    }
    this.#revoked.abort();
    await worker.abandon(sessionId);
    // Otherwise the file may belong to the new holder.
    if (isDeleted) await conversation.discard().catch(() => undefined);
  }

  /** False if the lease was released. */
  async #step(): Promise<boolean> {
    const { store, log, conversation } = this.#options;
    const { sessionId } = this.lease;
    if (!this.#isRestored) {
      await conversation.restore();
      await flushOutbox({ store, log }, sessionId);
      this.#isRestored = true;
    } else if (this.#isDirty) {
      await conversation.persist();
      await flushOutbox({ store, log }, sessionId);
      this.#isDirty = false;
    }
    const [turn] = await store.openTurns(sessionId);
    if (turn === undefined || this.#isEnding) return this.#rest();
    await this.#runTurn(turn);
    return true;
  }

  async #runTurn(turn: TurnRecord): Promise<void> {
    const { store, log, conversation, worker } = this.#options;
    // From here on the log refuses previous holders.
    await log.append(turn.sessionId, [userMessage(turn)]);
    if (turn.state === 'running' && (await this.#wasStarted(turn))) {
      // Its side effects are unknown.
      const reason = turn.id === this.#failedTurnId ? 'server_fault' : 'server_crash';
      await new TurnCloser({ store, log }).close(turn, { outcome: 'interrupted', reason });
      return;
    }
    try {
      await worker.run(turn, {
        store,
        log,
        revoked: this.#revoked.signal,
        onConversationChange: () => conversation.touch(),
        persistConversation: () => conversation.persist(),
      });
    } catch (thrown) {
      this.#failedTurnId = turn.id;
      this.#isDirty = true;
      await worker.stopAgent(turn.sessionId);
      throw thrown;
    }
  }

  /** Whether an agent may have received it. */
  async #wasStarted({ id, sessionId }: TurnRecord): Promise<boolean> {
    const { log } = this.#options;
    const { firstSeq } = await log.read(sessionId, { limit: 1 });
    return firstSeq > 1 || (await log.seqOf(sessionId, stepId(id, 'started'))) !== undefined;
  }

  async #rest(): Promise<boolean> {
    const { lease, leases, worker, conversation, onIdle } = this.#options;
    const { sessionId } = lease;
    if (!this.#isEnding && worker.hasAgent(sessionId)) {
      this.#isBusy = false;
      onIdle();
      await this.#woken.promise;
      this.#woken = Promise.withResolvers();
      this.#isBusy = true;
      return true;
    }
    await worker.stopAgent(sessionId);
    await conversation.persist();
    await conversation.discard();
    this.#isRestored = false;
    return (await leases.release(lease, this.#isEnding ? 'always' : 'idle')) === 'kept';
  }
}
