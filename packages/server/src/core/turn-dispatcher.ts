import type { EventLog } from '../log/event-log.js';
import type { TurnRecord } from '../store/session-record.js';
import type { SessionStore } from '../store/session-store.js';
import type { ApprovalVerdict } from './session-service.js';

/** What may be said to whoever plays the turns of a session. JSON, so that it can be said across processes. */
export type TurnWord =
  | { readonly kind: 'cancel'; readonly turnId: string }
  | {
      readonly kind: 'approve';
      /** By its own id, or by the tool call of a turn. */
      readonly approvalId?: string | undefined;
      readonly turnId?: string | undefined;
      readonly toolUseId?: string | undefined;
      readonly verdict: ApprovalVerdict;
    }
  /** The session is about to be deleted: its turn stops and its agent leaves. Answered when that is done. */
  | { readonly kind: 'leave' };

/** Where a turn writes, when that is not where everybody writes. */
export interface TurnPlaces {
  readonly store: SessionStore;
  readonly log: Pick<EventLog, 'append'>;
  /** Aborts when somebody else has the session: then its agent ends at once, and its turn writes nothing more. */
  readonly lost: AbortSignal;
  /** The agent has added to its conversation. Must not throw. */
  readonly onConversation: () => void;
  /** Called before the turn ends; whoever plays the next one has the conversation then. */
  readonly saveConversation: () => Promise<void>;
}

/** Plays turns: the other side of a {@link TurnDispatcher}. */
export interface TurnWorker {
  /** Resolves when the turn has ended. Rejects when its end could not be written: then it has none yet. */
  run(turn: TurnRecord, places?: TurnPlaces): Promise<void>;
  /** False when it is about nothing that runs here. Errors: `invalid_payload` for an answer that does not fit. */
  hear(sessionId: string, word: TurnWord): Promise<boolean>;
  /** Ends turns that still run: they are marked as interrupted. */
  stop(): Promise<void>;
}

/** A worker beside others, which may lose a session to one of them or leave it to them. */
export interface SharedWorker extends TurnWorker {
  /** Whether the agent of a session is in memory. */
  isAwake(sessionId: string): boolean;
  /** The agent of a session leaves in its own time. Resolves when it is gone. */
  sleep(sessionId: string): Promise<void>;
  /** Another worker has the session: its agent ends at once. Resolves when that and its turn are over. */
  abandon(sessionId: string): Promise<void>;
}

/**
 * Brings turns to a worker: those of one session one after the other, those of different sessions beside each other.
 * A turn that was enqueued is played once, or found by the next start of the server.
 */
export interface TurnDispatcher {
  enqueue(turn: TurnRecord): Promise<void>;
  /** Says something to whoever plays the turns of a session; false when nobody has to do with it. */
  tell(sessionId: string, word: TurnWord): Promise<boolean>;
  /** Begins no further turn, gives those that run so long to end, and stops the rest. */
  close(options: { readonly graceMs: number }): Promise<void>;
}
