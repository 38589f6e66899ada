import type { ContentBlock, PermissionMode } from '@qwen/protocol';
import type { EventLog } from '../log/event-log.js';
import type { HistoryItem, JsonMembers, SessionRecord, ThreadRecord, TurnState } from '../store/session-record.js';
import type { SessionPage, SessionPageQuery } from '../store/session-store.js';

/** Options of a new session. */
export interface NewSession {
  /** Absolute, or relative to the server's workspace. Default: that workspace. */
  readonly workspaceRoot?: string | undefined;
  readonly model?: string | undefined;
  /** Default: that of the server. */
  readonly approvalMode?: PermissionMode | undefined;
  /** Whether the log gets the increments of answers too. */
  readonly hasIncrements: boolean;
  readonly metadata?: JsonMembers | undefined;
  readonly details?: JsonMembers | undefined;
}

export interface NewMessage {
  readonly content: string | readonly ContentBlock[];
  /** Sent to the agent verbatim in place of the content, such as an expanded command. Default: the content. */
  readonly prompt?: readonly ContentBlock[] | undefined;
  /** While a turn runs: queue the message (default), or refuse it with `session_busy`. */
  readonly whenBusy?: 'queue' | 'refuse' | undefined;
  /** Idempotency key: a repeated key returns the same turn. Visible ASCII, at most 200 characters. */
  readonly clientKey?: string | undefined;
}

/** An accepted turn. It runs whether or not a client is connected. */
export interface TurnTicket {
  readonly turnId: string;
  readonly requestId: string;
  /** The seq of its `user.message`; all other events of the turn follow it. */
  readonly startSeq: number;
}

export interface TurnStatus {
  readonly turnId: string;
  readonly requestId: string;
  readonly sessionId: string;
  readonly state: TurnState;
}

export interface InterruptResult {
  /** Number of turns that were stopped. */
  readonly turns: number;
  /** The seq of the `user.interrupt`. */
  readonly seq: number;
}

/** The answer to an approval request. */
export type ApprovalVerdict =
  | {
      readonly behavior: 'allow';
      /** Replaces the input of the call. */
      readonly updatedInput?: Record<string, unknown> | undefined;
      /** Index of a suggestion of the request, whose rules apply from now on. Default: this call only. */
      readonly suggestion?: number | undefined;
    }
  | {
      readonly behavior: 'deny';
      /** For the model. */
      readonly message?: string | undefined;
      readonly suggestion?: number | undefined;
    };

/** Identifies an approval request by its own id, or by the request and the tool call. */
export type ApprovalTarget =
  | { readonly sessionId: string; readonly approvalId: string }
  | { readonly requestId: string; readonly toolUseId: string };

export interface AddedDirectories {
  /** Accepted directories, as given. */
  readonly added: readonly string[];
  /** One message for each refused directory. */
  readonly errors: readonly string[];
}

/**
 * Sessions, independent of the HTTP surface. Nothing here depends on a connection: a turn continues when its client
 * disconnects.
 *
 * Errors of all methods that name a session: `session_not_found`; `shutting_down` once the server closes.
 */
export interface SessionService {
  /** Read-only: the service does all writes. */
  readonly log: Pick<EventLog, 'read' | 'attach'>;

  /** Errors: `cwd_missing` if the workspace is not a folder. */
  create(session: NewSession): Promise<SessionRecord>;
  get(sessionId: string): Promise<SessionRecord>;
  /** Newest first. */
  list(query: SessionPageQuery): Promise<SessionPage>;
  count(): Promise<number>;
  /** Stops its turns and removes it; its followers get an end event. */
  delete(sessionId: string): Promise<void>;
  /** Applies from the next turn on; the history stays. Errors: `cwd_missing`. */
  updateWorkspace(sessionId: string, workspaceRoot: string): Promise<SessionRecord>;
  /** Applies from the next turn on. Accepts `~`, `%userprofile%` and relative paths. */
  addDirectories(sessionId: string, directories: readonly string[]): Promise<AddedDirectories>;
  /** The workspace root first. */
  directories(sessionId: string): Promise<readonly string[]>;

  /** Errors: `session_busy` or `overloaded` if turns are open; `invalid_payload` for an empty message. */
  send(sessionId: string, message: NewMessage): Promise<TurnTicket>;
  status(sessionId: string): Promise<'idle' | 'processing'>;
  findTurn(requestId: string): Promise<TurnStatus | undefined>;
  /** Stops or dequeues a turn; its `turn.ended` follows. Errors: `turn_not_found`, also if it has ended. */
  cancel(requestId: string): Promise<TurnStatus>;
  /** Logs `user.interrupt`, stops the running turn and dequeues the others. */
  interrupt(sessionId: string): Promise<InterruptResult>;
  /** The first answer counts. Errors: `approval_not_found`, also if it is settled. */
  approve(target: ApprovalTarget, verdict: ApprovalVerdict): Promise<void>;

  history(
    sessionId: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly items: readonly HistoryItem[]; readonly total: number }>;
  /** The primary thread first. */
  threads(sessionId: string): Promise<readonly ThreadRecord[]>;
}
