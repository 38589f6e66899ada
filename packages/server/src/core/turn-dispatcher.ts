import type { EventLog } from '../log/event-log.js';
import type { TurnRecord } from '../store/session-record.js';
import type { SessionStore } from '../store/session-store.js';
import type { ApprovalVerdict } from './session-service.js';

/** A command for the worker that runs a session's turns. JSON, because it may cross processes. */
export type TurnCommand =
  | { readonly kind: 'cancel'; readonly turnId: string }
  | {
      readonly kind: 'approve';
      /** Identifies the request by its own id, or by the tool call of a turn. */
      readonly approvalId?: string | undefined;
      readonly turnId?: string | undefined;
      readonly toolUseId?: string | undefined;
      readonly verdict: ApprovalVerdict;
    }
  /** Before a session is deleted: stops its turn and its agent. Acknowledged when that is done. */
  | { readonly kind: 'leave' };

/** The stores and callbacks of a turn under a lease. */
export interface TurnContext {
  readonly store: SessionStore;
  readonly log: Pick<EventLog, 'append'>;
  /** Aborts when another process has the session: the agent is killed and the turn writes nothing more. */
  readonly revoked: AbortSignal;
  /** The agent has added to its conversation. Resolves when the addition is copied; never rejects. */
  readonly onConversationChange: () => Promise<void>;
  /** Called before the turn ends, so that the process that runs the next turn has the conversation. */
  readonly persistConversation: () => Promise<void>;
}

/** Runs turns: the counterpart of {@link TurnDispatcher}. */
export interface TurnWorker {
  /** Resolves when the turn has ended. Rejects if its end could not be written; the turn is then still open. */
  run(turn: TurnRecord, context?: TurnContext): Promise<void>;
  /** False if no running turn matches. Errors: `invalid_payload` for a verdict that does not fit. */
  handle(sessionId: string, command: TurnCommand): Promise<boolean>;
  /** Ends running turns as interrupted. */
  stop(): Promise<void>;
}

/** A worker among others, which may lose a session to another one. */
export interface SharedWorker extends TurnWorker {
  /** Whether the session has a live agent process. */
  hasAgent(sessionId: string): boolean;
  /** Lets the agent exit. Resolves when it is gone. */
  stopAgent(sessionId: string): Promise<void>;
  /** Another worker has the session: kills its agent. Resolves when the agent and its turn are gone. */
  abandon(sessionId: string): Promise<void>;
}

/**
 * Hands turns to a worker: the turns of one session in order, those of different sessions in parallel. An enqueued turn
 * runs once, or the next start of the server finds it.
 */
export interface TurnDispatcher {
  enqueue(turn: TurnRecord): Promise<void>;
  /** Sends a command to the worker of a session. False if no worker has anything to do with it. */
  dispatch(sessionId: string, command: TurnCommand): Promise<boolean>;
  /** Starts no more turns, gives running ones `graceMs` to end, and stops the rest. */
  close(options: { readonly graceMs: number }): Promise<void>;
}
