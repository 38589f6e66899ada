import type { ContentBlock, PermissionMode } from '@qwen/protocol';
import type { EventLog } from '../log/event-log.js';
import type { HistoryItem, JsonMembers, SessionRecord, ThreadRecord, TurnState } from '../store/session-record.js';
import type { SessionPage, SessionPageQuery } from '../store/session-store.js';

/** What a new session may be told. */
export interface NewSession {
  /** Absolute, or relative to the server's own folder. Default: that folder (GAP-66). */
  readonly workspaceRoot?: string | undefined;
  readonly model?: string | undefined;
  /** Default: that of the server, which is `default`: what is not safe is asked about. */
  readonly approvalMode?: PermissionMode | undefined;
  /** Whether the log gets the increments of answers too. */
  readonly hasIncrements: boolean;
  readonly metadata?: JsonMembers | undefined;
  readonly details?: JsonMembers | undefined;
}

/** A message of a user. */
export interface NewMessage {
  readonly content: string | readonly ContentBlock[];
  /** What the agent is told in its place, as it is: what a command has made of it. Default: the content. */
  readonly prompt?: readonly ContentBlock[] | undefined;
  /** What to do when a turn is running: wait behind it (default), or refuse with `session_busy` (GAP-72). */
  readonly whenBusy?: 'queue' | 'refuse' | undefined;
  /** The same key again is the same turn (F129). Visible ASCII, at most 200. */
  readonly clientKey?: string | undefined;
}

/** A turn that was taken: it runs whether or not anybody watches. */
export interface TurnTicket {
  readonly turnId: string;
  readonly requestId: string;
  /** The seq of its `user.message`: everything of the turn stands behind it. */
  readonly startSeq: number;
}

/** Whose turn it is and what has become of it. */
export interface TurnStatus {
  readonly turnId: string;
  readonly requestId: string;
  readonly sessionId: string;
  readonly state: TurnState;
}

/** What became of the wish to stop everything. */
export interface Interruption {
  /** How many turns that were. */
  readonly turns: number;
  /** The seq of its `user.interrupt`. */
  readonly seq: number;
}

/** An answer to a permission question. Missing members: as the tool was called, for this once. */
export type ApprovalVerdict =
  | {
      readonly behavior: 'allow';
      /** Replaces the input of the call. */
      readonly updatedInput?: Record<string, unknown> | undefined;
      /** Chooses one of the suggestions of the question by its index: its rules hold from now on. */
      readonly suggestion?: number | undefined;
    }
  | {
      readonly behavior: 'deny';
      /** The model reads it. */
      readonly message?: string | undefined;
      readonly suggestion?: number | undefined;
    };

/** Which question is answered: by its own id, or by the request and the tool call that it is about. */
export type ApprovalTarget =
  | { readonly sessionId: string; readonly approvalId: string }
  | { readonly requestId: string; readonly toolUseId: string };

/** What became of a list of directories. */
export interface AddedDirectories {
  /** Those that are part of the workspace now, as they were given. */
  readonly added: readonly string[];
  /** One sentence for each other one. */
  readonly errors: readonly string[];
}

/**
 * Sessions, whatever surface they are used through. Nothing here depends on a connection: a turn goes on when its
 * client goes away (F126).
 *
 * Errors of all verbs that name a session: `session_not_found`; `shutting_down` once the server closes.
 */
export interface SessionService {
  /** What happens in sessions. Read only: the service is the one that writes. */
  readonly log: Pick<EventLog, 'read' | 'attach'>;

  /** Errors: `cwd_missing` for a workspace that is no folder. */
  create(session: NewSession): Promise<SessionRecord>;
  get(sessionId: string): Promise<SessionRecord>;
  /** Newest first. */
  list(query: SessionPageQuery): Promise<SessionPage>;
  count(): Promise<number>;
  /** Stops its turns and removes it; who follows its events is told. */
  delete(sessionId: string): Promise<void>;
  /** Moves the session to another folder; its history stays. Counts from the next turn on. Errors: `cwd_missing`. */
  updateWorkspace(sessionId: string, workspaceRoot: string): Promise<SessionRecord>;
  /** Adds folders to the workspace, from the next turn on. `~`, `%userprofile%` and relative paths are understood (Q-42 … Q-45). */
  addDirectories(sessionId: string, directories: readonly string[]): Promise<AddedDirectories>;
  /** The main folder first. */
  directories(sessionId: string): Promise<readonly string[]>;

  /** Errors: `session_busy` or `overloaded` when turns wait already; `invalid_payload` for an empty message. */
  send(sessionId: string, message: NewMessage): Promise<TurnTicket>;
  /** Whether a turn runs or waits. */
  status(sessionId: string): Promise<'idle' | 'processing'>;
  /** Undefined when there never was such a turn. */
  findTurn(requestId: string): Promise<TurnStatus | undefined>;
  /** Stops a turn, or takes it out of the queue; its `turn.ended` follows. Errors: `turn_not_found`, also when it has ended. */
  cancel(requestId: string): Promise<TurnStatus>;
  /** Tells in the log that a user wants it, stops what runs and takes out what waits (GAP-85). */
  interrupt(sessionId: string): Promise<Interruption>;
  /** Errors: `approval_not_found` when there is no such question, or it is settled. The first answer counts. */
  approve(target: ApprovalTarget, verdict: ApprovalVerdict): Promise<void>;

  history(
    sessionId: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly items: readonly HistoryItem[]; readonly total: number }>;
  /** The primary one first. */
  threads(sessionId: string): Promise<readonly ThreadRecord[]>;
}
