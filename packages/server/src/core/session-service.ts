import type { ContentBlock, Effort, PermissionMode, PromptPriority, SandboxOption } from '@qwen/protocol';
import type { QuestionPolicy } from '@qwen/protocol/server';
import type { BackgroundTask } from '@qwen/sdk';
import type { EventLog } from '../log/event-log.js';
import type {
  HistoryItem,
  JsonMembers,
  SessionRecord,
  ShareLink,
  ThreadRecord,
  TurnState,
} from '../store/session-record.js';
import type { SessionPage, SessionPageQuery } from '../store/session-store.js';

export interface NewSession {
  /** Relative to the server's workspace, which is the default. */
  readonly workspaceRoot?: string | undefined;
  readonly model?: string | undefined;
  readonly approvalMode?: PermissionMode | undefined;
  /** Default: what the server and the settings select when a turn starts. */
  readonly sandbox?: SandboxOption | undefined;
  /** Whether the log gets increments too. */
  readonly hasIncrements: boolean;
  readonly metadata?: JsonMembers | undefined;
  readonly details?: JsonMembers | undefined;
  /** The name of a token. Default: none, so that only administrators see the session. */
  readonly owner?: string | undefined;
  /** Whether other tokens can use the session. Default false. */
  readonly isShared?: boolean | undefined;
  /** Default `wait`. */
  readonly questionPolicy?: QuestionPolicy | undefined;
  /** Permission rules of calls that run without a question; only for the policy `allow-listed`. */
  readonly allowedTools?: readonly string[] | undefined;
}

export interface SessionFork {
  /** Of a message: the copy ends before it. Default: copy everything. */
  readonly requestId?: string | undefined;
  readonly owner?: string | undefined;
}

export interface NewMessage {
  readonly content: string | readonly ContentBlock[];
  /** Sent to the agent verbatim in place of the content, such as an expanded command. */
  readonly prompt?: readonly ContentBlock[] | undefined;
  /** While a turn runs: queue (default) or refuse with `session_busy`. */
  readonly whenBusy?: 'queue' | 'refuse' | undefined;
  /**
   * With `now` or `next`, a running turn takes the message before its next model call; `now` comes first. Otherwise,
   * and if no turn takes it, it is a separate turn.
   */
  readonly priority?: PromptPriority | undefined;
  /** Idempotency key: 1 to 200 visible ASCII characters. */
  readonly clientKey?: string | undefined;
  /** The name of a token, to which the usage counts. */
  readonly sender?: string | undefined;
}

/** Missing members stay; null resets to the default. */
export interface SessionSettings {
  readonly title?: string | null | undefined;
  readonly isArchived?: boolean | undefined;
  readonly model?: string | null | undefined;
  readonly approvalMode?: PermissionMode | undefined;
  readonly effort?: Effort | null | undefined;
  readonly isShared?: boolean | undefined;
  readonly shareLinks?: readonly ShareLink[] | undefined;
}

/** `waiting`: for the answer to a question. */
export type SessionActivity = 'idle' | 'running' | 'waiting';

/** The turn runs whether or not a client is connected. */
export interface TurnTicket {
  readonly turnId: string;
  readonly requestId: string;
  /** The seq of its `user.message`; its other events follow. */
  readonly startSeq: number;
}

export interface TurnStatus {
  readonly turnId: string;
  readonly requestId: string;
  readonly sessionId: string;
  readonly state: TurnState;
}

export interface InterruptResult {
  readonly turns: number;
  readonly seq: number;
}

export type ApprovalVerdict = {
  /** For the audit log. Default `admin`. */
  readonly actor?: string | undefined;
} & (
  | {
      readonly behavior: 'allow';
      /** Replaces the input of the call. */
      readonly updatedInput?: Record<string, unknown> | undefined;
      /** Index of a suggestion, whose rules apply from now on. */
      readonly suggestion?: number | undefined;
    }
  | {
      readonly behavior: 'deny';
      /** For the model. */
      readonly message?: string | undefined;
      readonly suggestion?: number | undefined;
    }
);

export type ApprovalTarget =
  | { readonly sessionId: string; readonly approvalId: string }
  | { readonly requestId: string; readonly toolUseId: string };

export interface FolderListing {
  /** Absolute and real. */
  readonly path: string;
  /** Whether it can be a workspace. */
  readonly canUse: boolean;
  /** Undefined if it may not be listed. */
  readonly parent: string | undefined;
  readonly folders: readonly string[];
}

export interface AddedDirectories {
  readonly added: readonly string[];
  readonly errors: readonly string[];
}

/**
 * Sessions, independent of HTTP and of connections. Errors of all methods that name a session: `session_not_found`;
 * `shutting_down` once the server closes.
 */
export interface SessionService {
  readonly log: Pick<EventLog, 'read' | 'attach'>;

  /**
   * Errors: `cwd_missing`, `path_refused`; `invalid_payload` for allowed tools with another policy; `forbidden` for a
   * looser sandbox than that of the server.
   */
  create(session: NewSession): Promise<SessionRecord>;
  /**
   * Copies the events and the conversation; files stay as they are. Errors: `session_busy` while a turn runs, without a
   * message; `turn_not_found`; `message_not_found` if it was rewound or is a command; `path_refused`.
   */
  fork(sessionId: string, fork: SessionFork): Promise<SessionRecord>;
  get(sessionId: string): Promise<SessionRecord>;
  /** The same for its owner or an administrator. Errors: also `forbidden`. */
  getOwned(sessionId: string): Promise<SessionRecord>;
  /** The same before its folders are used. Errors: also `path_refused` if they may no longer be a workspace. */
  getChecked(sessionId: string): Promise<SessionRecord>;
  /** Newest first. */
  list(query: SessionPageQuery): Promise<SessionPage>;
  count(): Promise<number>;
  probe(): Promise<void>;
  /** Stops its turns first. */
  delete(sessionId: string): Promise<void>;
  /** Model, mode and effort take effect with the next turn. Errors: `forbidden` for a mode that asks less. */
  configure(sessionId: string, settings: SessionSettings): Promise<SessionRecord>;
  /** The activity of each session, which the caller has read. */
  activityOf(sessions: readonly SessionRecord[]): Promise<readonly SessionActivity[]>;
  /** Takes effect with the next turn. Errors: `cwd_missing`, `path_refused`. */
  updateWorkspace(sessionId: string, workspaceRoot: string): Promise<SessionRecord>;
  /** Takes effect with the next turn. Accepts `~`, `%userprofile%` and relative paths. */
  addDirectories(sessionId: string, directories: readonly string[]): Promise<AddedDirectories>;
  /** The workspace root first. */
  directories(sessionId: string): Promise<readonly string[]>;

  /** Errors: `session_busy`, `overloaded`, `path_refused`; `invalid_payload` for an empty message. */
  send(sessionId: string, message: NewMessage): Promise<TurnTicket>;
  status(sessionId: string): Promise<'idle' | 'processing'>;
  findTurn(requestId: string): Promise<TurnStatus | undefined>;
  /** Errors: `turn_not_found`, also if it has ended. */
  cancel(requestId: string): Promise<TurnStatus>;
  /** Stops or dequeues all turns. */
  interrupt(sessionId: string): Promise<InterruptResult>;
  /** Errors: `approval_not_found`, also if it is settled. */
  approve(target: ApprovalTarget, verdict: ApprovalVerdict): Promise<void>;

  history(
    sessionId: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly items: readonly HistoryItem[]; readonly total: number }>;
  /** The primary thread first. */
  threads(sessionId: string): Promise<readonly ThreadRecord[]>;

  /** The background commands of its agent, oldest first; none if it has no agent. */
  tasks(sessionId: string): Promise<readonly BackgroundTask[]>;
  /** The last 256 KiB. Errors: `task_not_found`. */
  taskOutput(sessionId: string, taskId: string): Promise<string>;
  /** Resolves when it has ended. Errors: `task_not_found`. */
  stopTask(sessionId: string, taskId: string): Promise<void>;
}
