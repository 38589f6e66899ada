import { AgentError } from '@qwen/protocol';
import type { EventLog } from '../../log/event-log.js';
import type { ServerMetrics } from '../../metrics/server-metrics.js';
import { leaseLost } from '../../redis/redis-error.js';
import type { TurnRecord } from '../../store/session-record.js';
import type { SessionStore } from '../../store/session-store.js';
import { flushOutbox } from '../end-turn.js';
import { stepId, userMessage } from '../new-events.js';
import { TurnCloser } from '../turn-closer.js';
import type { SharedWorker } from '../turn-dispatcher.js';
import type { ConversationSync } from './conversation-sync.js';

export interface SessionRunOptions {
  readonly sessionId: string;
  /** Under the fence. */
  readonly store: SessionStore;
  /** Under the fence. */
  readonly log: Pick<EventLog, 'append' | 'read' | 'seqOf'>;
  readonly conversation: ConversationSync;
  readonly worker: SharedWorker;
  /** `performance.now()` from which this process may not have the session any more. */
  readonly trustedUntilMs: number;
  /** How earlier attempts of the job ended. */
  readonly failures: { readonly thrown: number; readonly killed: number };
  readonly metrics?: ServerMetrics | undefined;
  /** No open turn. Must not throw. */
  readonly onIdle: () => void;
}

/** Runs the open turns of a session in order, for one job. Keeps the session until its agent exits. */
export class SessionRun {
  readonly #options: SessionRunOptions;
  readonly #revoked = new AbortController();
  readonly #done = Promise.withResolvers<void>();
  #woken = Promise.withResolvers<void>();
  #trustedUntilMs: number;
  #isFinishing = false;
  #idleSinceMs: number | undefined;

  constructor(options: SessionRunOptions) {
    this.#options = options;
    this.#trustedUntilMs = options.trustedUntilMs;
  }

  get sessionId(): string {
    return this.#options.sessionId;
  }

  /** Settles when `run()` has. */
  get done(): Promise<void> {
    return this.#done.promise;
  }

  get idleSinceMs(): number | undefined {
    return this.#idleSinceMs;
  }

  get isRevoked(): boolean {
    return this.#revoked.signal.aborted;
  }

  /** There may be a turn, or the agent has exited. */
  wake(): void {
    this.#woken.resolve();
  }

  /** Ends after the running turn. */
  finish(): void {
    this.#isFinishing = true;
    this.wake();
  }

  /** Another process may have the session. */
  revoke(): void {
    this.#revoked.abort();
    this.wake();
  }

  /** The lock was renewed. Also looks for turns whose notification was missed. */
  renew(trustedUntilMs: number): void {
    this.#trustedUntilMs = trustedUntilMs;
    if (!this.isRevoked) this.#options.worker.renewAgent(this.#options.sessionId, this.#ttlMs());
    this.wake();
  }

  /** Revokes the session when it was not renewed in time. Returns whether it did. */
  checkTrust(): boolean {
    if (this.isRevoked || this.#ttlMs() > 0) return false;
    this.revoke();
    return true;
  }

  /** Resolves with whether turns are left. Errors: `lease_lost`, `session_not_found`; those of the stores. */
  async run(): Promise<boolean> {
    const { worker, conversation, sessionId } = this.#options;
    try {
      return await this.#runTurns();
    } catch (thrown) {
      this.#revoked.abort();
      await worker.abandon(sessionId);
      // Otherwise the file may belong to the next holder.
      if (AgentError.from(thrown).code === 'session_not_found') await conversation.discard().catch(() => undefined);
      throw thrown;
    } finally {
      this.#done.resolve();
    }
  }

  /** Ends all open turns without an agent, because the session cannot be run. */
  async giveUp(): Promise<void> {
    const { store, log, sessionId, metrics } = this.#options;
    await flushOutbox({ store, log }, sessionId);
    for (const turn of await store.openTurns(sessionId)) {
      await new TurnCloser({ store, log, metrics }).close(turn, {
        outcome: 'interrupted',
        reason: 'attempts_exhausted',
      });
    }
  }

  async #runTurns(): Promise<boolean> {
    const { store, log, conversation, sessionId } = this.#options;
    // The job after one that has run all turns often finds nothing.
    await flushOutbox({ store, log }, sessionId);
    if ((await store.openTurns(sessionId)).length === 0) return false;
    await conversation.restore();
    for (;;) {
      const [turn] = await store.openTurns(sessionId);
      if (this.isRevoked) throw leaseLost(sessionId);
      if (this.#isFinishing || (turn === undefined && !(await this.#idle()))) break;
      if (turn === undefined) continue;
      this.#idleSinceMs = undefined;
      const hasRun = await this.#runTurn(turn);
      const { thrown, killed } = this.#options.failures;
      // The next job counts its failures from 0.
      if (hasRun && thrown + killed > 0) break;
    }
    await this.#leave();
    return (await store.openTurns(sessionId)).length > 0;
  }

  /** False if the turn was only marked. */
  async #runTurn(turn: TurnRecord): Promise<boolean> {
    const { store, log, conversation, worker, failures, metrics } = this.#options;
    // This makes the log refuse previous holders.
    await log.append(turn.sessionId, [userMessage(turn)]);
    if (turn.state === 'running' && (await this.#wasStarted(turn))) {
      // Its side effects are unknown.
      const reason = failures.thrown > 0 ? 'server_fault' : 'server_crash';
      await new TurnCloser({ store, log, metrics }).close(turn, { outcome: 'interrupted', reason });
      return false;
    }
    await worker.run(turn, {
      store,
      log,
      revoked: this.#revoked.signal,
      leaseTtlMs: () => this.#ttlMs(),
      onConversationChange: () => conversation.touch(),
      persistConversation: () => conversation.persist(),
    });
    return true;
  }

  /** Whether an agent may have received it. */
  async #wasStarted({ id, sessionId }: TurnRecord): Promise<boolean> {
    const { log } = this.#options;
    const { firstSeq } = await log.read(sessionId, { limit: 1 });
    return firstSeq > 1 || (await log.seqOf(sessionId, stepId(id, 'started'))) !== undefined;
  }

  /** Waits for a turn while the agent is alive. False if it is not. */
  async #idle(): Promise<boolean> {
    const { worker, onIdle, sessionId } = this.#options;
    if (!worker.hasAgent(sessionId)) return false;
    this.#idleSinceMs ??= performance.now();
    onIdle();
    await this.#woken.promise;
    this.#woken = Promise.withResolvers();
    return true;
  }

  async #leave(): Promise<void> {
    const { worker, conversation, sessionId } = this.#options;
    await worker.stopAgent(sessionId);
    await conversation.persist();
    await conversation.discard();
  }

  #ttlMs(): number {
    return this.#trustedUntilMs - performance.now();
  }
}
