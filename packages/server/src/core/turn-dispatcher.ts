import type { BackgroundTask } from '@qwen/sdk';
import type { EventLog } from '../log/event-log.js';
import type { TurnRecord } from '../store/session-record.js';
import type { SessionStore } from '../store/session-store.js';
import type { ApprovalVerdict } from './session-service.js';

/** JSON, because it may cross processes. */
export type TurnCommand =
  | { readonly kind: 'cancel'; readonly turnId: string }
  | {
      readonly kind: 'approve';
      /** Its own id, or the tool call of a turn. */
      readonly approvalId?: string | undefined;
      readonly turnId?: string | undefined;
      readonly toolUseId?: string | undefined;
      readonly verdict: ApprovalVerdict;
    }
  /** Offers a queued message to the turn that runs before it. */
  | { readonly kind: 'steer'; readonly turnId: string; readonly priority: 'now' | 'next' }
  /** Before a deletion: stops the turn and the agent. */
  | { readonly kind: 'leave' }
  | TaskCommand;

/** About the background commands of the session's agent. */
export type TaskCommand =
  | { readonly kind: 'list-tasks' }
  | { readonly kind: 'task-output'; readonly taskId: string }
  | { readonly kind: 'stop-task'; readonly taskId: string };

export type TaskReply = { readonly tasks: BackgroundTask[] } | { readonly output: string };

export interface TurnContext {
  readonly store: SessionStore;
  readonly log: Pick<EventLog, 'append'>;
  /** Another process has the session: kill the agent and write nothing more. */
  readonly revoked: AbortSignal;
  /** Milliseconds for which this process surely has the session; then the agent ends itself. */
  readonly leaseTtlMs: () => number;
  /** Resolves when the addition is copied; never rejects. */
  readonly onConversationChange: () => Promise<void>;
  /** Called before the turn ends. */
  readonly persistConversation: () => Promise<void>;
}

export interface TurnWorker {
  /** Rejects if the end could not be written. */
  run(turn: TurnRecord, context?: TurnContext): Promise<void>;
  /**
   * False if no running turn matches, or if the session has no agent for a `TaskCommand`. Errors: `invalid_payload`,
   * `task_not_found`.
   */
  handle(sessionId: string, command: TurnCommand): Promise<boolean | TaskReply>;
  stop(): Promise<void>;
}

/** A worker that may lose sessions to other workers. */
export interface SharedWorker extends TurnWorker {
  hasAgent(sessionId: string): boolean;
  /** Lets the agent run for another `ttlMs`. */
  renewAgent(sessionId: string, ttlMs: number): void;
  /** Resolves when it is gone. */
  stopAgent(sessionId: string): Promise<void>;
  /** Kills the agent. Resolves when it and its turn are gone. */
  abandon(sessionId: string): Promise<void>;
}

/**
 * Runs the turns of one session in order, of different sessions in parallel. A turn that does not run is found at
 * the next start.
 */
export interface TurnDispatcher {
  enqueue(turn: TurnRecord): Promise<void>;
  /** False if no worker has the session. */
  dispatch(sessionId: string, command: TurnCommand): Promise<boolean | TaskReply>;
  /** Gives running turns `graceMs` to end. */
  close(options: { readonly graceMs: number }): Promise<void>;
}
