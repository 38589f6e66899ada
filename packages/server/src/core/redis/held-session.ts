import { setTimeout as delay } from 'node:timers/promises';
import { AgentError, createDeferred } from '@qwen/protocol';
import type { EventLog } from '../../log/event-log.js';
import type { TurnRecord } from '../../store/session-record.js';
import type { SessionStore } from '../../store/session-store.js';
import { tellEnds } from '../end-turn.js';
import { stepId, userMessage } from '../new-events.js';
import { TurnCloser } from '../turn-closer.js';
import type { SharedWorker } from '../turn-dispatcher.js';
import type { Lease, SessionLeases } from './session-leases.js';
import type { TravellingConversation } from './travelling-conversation.js';

export interface HeldSessionOptions {
  readonly lease: Lease;
  /** In milliseconds of `performance.now()`, from before it was asked for. */
  readonly takenAtMs: number;
  readonly leases: SessionLeases;
  /** Writes under the fence of the lease. */
  readonly store: SessionStore;
  readonly log: Pick<EventLog, 'append' | 'read' | 'seqOf'>;
  readonly conversation: TravellingConversation;
  readonly worker: SharedWorker;
  /** It has nothing to do for now, or something again. Must not throw. */
  readonly onChange: () => void;
  /** Must not throw. */
  readonly onRemark: (remark: string) => void;
}

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 5000;

/**
 * A session that this process has a lease of: its turns are played one after the other, those first that a process before
 * has left. It is kept for as long as its agent is awake, so that the next message finds it warm, and then given back.
 */
export class HeldSession {
  readonly done: Promise<void>;
  /** Until when the lease is known to hold is counted from here. */
  renewedAtMs: number;
  readonly #options: HeldSessionOptions;
  readonly #lost = new AbortController();
  #woken = createDeferred<void>();
  #isBrought = false;
  #isUnsaved = false;
  #isBusy = true;
  #isEnding = false;
  /** The turn whose end we could not write ourselves. */
  #failedTurnId: string | undefined;

  constructor(options: HeldSessionOptions) {
    this.#options = options;
    this.renewedAtMs = options.takenAtMs;
    this.done = this.#run();
  }

  get lease(): Lease {
    return this.#options.lease;
  }

  /** Whether it has a turn, or may have one. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  get isLost(): boolean {
    return this.#lost.signal.aborted;
  }

  /** Looks whether there is something to do. */
  wake(): void {
    this.#woken.resolve();
  }

  /** Plays no further turn and gives the session back. */
  finish(): void {
    this.#isEnding = true;
    this.wake();
  }

  /** Somebody else has it, or may have it: everything stops. */
  lose(): void {
    this.#lost.abort();
    this.wake();
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    const { worker, conversation, onRemark } = this.#options;
    const { sessionId } = this.lease;
    let isGone = false;
    for (let waitMs = FIRST_RETRY_MS; !this.isLost; ) {
      try {
        if (!(await this.#step())) return;
        waitMs = FIRST_RETRY_MS;
      } catch (thrown) {
        const { code } = AgentError.from(thrown);
        isGone = code === 'session_not_found';
        if (isGone) break;
        if (!this.isLost) onRemark(`session ${sessionId}: ${String(thrown)}`);
        if (code === 'lease_lost') break;
        // The lease ends by itself, and another process goes on.
        if (this.#isEnding) break;
        await delay(waitMs, undefined, { signal: this.#lost.signal }).catch(() => undefined);
        waitMs = Math.min(waitMs * 2, LAST_RETRY_MS);
      }
    }
    this.#lost.abort();
    await worker.abandon(sessionId);
    // A file of a session that is somebody else's may be theirs: they may have the same disk.
    if (isGone) await conversation.clear().catch(() => undefined);
  }

  /** False when the session was given back. */
  async #step(): Promise<boolean> {
    const { store, log, conversation } = this.#options;
    const { sessionId } = this.lease;
    if (!this.#isBrought) {
      await conversation.bring();
      await tellEnds({ store, log }, sessionId);
      this.#isBrought = true;
    } else if (this.#isUnsaved) {
      await conversation.save();
      await tellEnds({ store, log }, sessionId);
      this.#isUnsaved = false;
    }
    const [turn] = await store.openTurns(sessionId);
    if (turn === undefined || this.#isEnding) return this.#rest();
    await this.#play(turn);
    return true;
  }

  async #play(turn: TurnRecord): Promise<void> {
    const { store, log, conversation, worker } = this.#options;
    // From here on the log refuses those that had the session before.
    await log.append(turn.sessionId, [userMessage(turn)]);
    if (turn.state === 'running' && (await this.#wasTold(turn))) {
      // Nobody knows what it has done, so it is not played again.
      const reason = turn.id === this.#failedTurnId ? 'server_fault' : 'server_crash';
      await new TurnCloser({ store, log }).close(turn, { outcome: 'interrupted', reason });
      return;
    }
    try {
      await worker.run(turn, {
        store,
        log,
        lost: this.#lost.signal,
        onConversation: () => conversation.touch(),
        saveConversation: () => conversation.save(),
      });
    } catch (thrown) {
      this.#failedTurnId = turn.id;
      this.#isUnsaved = true;
      await worker.sleep(turn.sessionId);
      throw thrown;
    }
  }

  /** Whether the log may have anything of the turn but its message; only then an agent may have heard of it. */
  async #wasTold({ id, sessionId }: TurnRecord): Promise<boolean> {
    const { log } = this.#options;
    const { firstSeq } = await log.read(sessionId, { limit: 1 });
    return firstSeq > 1 || (await log.seqOf(sessionId, stepId(id, 'started'))) !== undefined;
  }

  async #rest(): Promise<boolean> {
    const { lease, leases, worker, conversation, onChange } = this.#options;
    const { sessionId } = lease;
    if (!this.#isEnding && worker.isAwake(sessionId)) {
      this.#isBusy = false;
      onChange();
      await this.#woken.promise;
      this.#woken = createDeferred();
      this.#isBusy = true;
      return true;
    }
    await worker.sleep(sessionId);
    await conversation.save();
    await conversation.clear();
    this.#isBrought = false;
    return (await leases.release(lease, this.#isEnding ? 'always' : 'idle')) === 'kept';
  }
}
