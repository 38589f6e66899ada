import type { ContentBlock, PermissionMode } from '@qwen/protocol';
import type { TurnOutcome } from '@qwen/protocol/server';
import type { NewEvent } from '../log/logged-event.js';

/** An object that came from JSON and goes back as it came. */
export type JsonMembers = Readonly<Record<string, unknown>>;

/** What is known of a session whether or not an agent runs for it. */
export interface SessionRecord {
  /** A UUID: the id of the agent's own session too. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** When a message came in or a turn ended last, in epoch milliseconds. */
  readonly lastActivityAt: number;
  /** The folder that the agent works in; absolute. */
  readonly workspaceRoot: string;
  /** Further folders that count as workspace; absolute. */
  readonly directories: readonly string[];
  /** Missing: what the settings of the agent say. */
  readonly model?: string | undefined;
  readonly approvalMode: PermissionMode;
  /** Whether the log gets the increments of answers too; for good. */
  readonly hasIncrements: boolean;
  /** The client's own, given back as it came. */
  readonly metadata: JsonMembers;
  /** What the surface that made the session has to say about it again, such as a title or the name of an agent. */
  readonly details: JsonMembers;
  /** Whether the agent has stored the conversation, so that it can be gone on with. */
  readonly isResumable: boolean;
}

/** What of a session may change. */
export type SessionChange = Partial<
  Pick<
    SessionRecord,
    'lastActivityAt' | 'workspaceRoot' | 'directories' | 'model' | 'approvalMode' | 'details' | 'isResumable'
  >
>;

/** `interrupted`: the server died in it. */
export type TurnState = 'queued' | 'running' | TurnOutcome | 'interrupted';

/** One message of a user and what becomes of it. */
export interface TurnRecord {
  readonly id: string;
  readonly sessionId: string;
  /** Names the turn to its client: `req_` digits `_` letters. */
  readonly requestId: string;
  /** As the user sent it. */
  readonly content: readonly ContentBlock[];
  /** What the agent is told in its place, as it is: what a command has made of it. Default: the content. */
  readonly prompt?: readonly ContentBlock[] | undefined;
  /** Chosen by the client: the same key again is the same turn (F129). Unique in the session. */
  readonly clientKey?: string | undefined;
  readonly state: TurnState;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** How a turn ended, for {@link SessionStore.endTurn}. */
export interface TurnEnding {
  readonly state: TurnOutcome | 'interrupted';
  /** Ends it only if nobody has begun to play it. Default: in any state. */
  readonly from?: 'queued' | undefined;
  /** The last words of the model, for the history; missing or empty: none. */
  readonly reply?: string | undefined;
  /** Epoch milliseconds. */
  readonly endedAt: number;
  /**
   * The last events of the turn, which are kept until the log has them: what is known of the end is known of it in one
   * step. Each has an event id, so that telling them again tells nothing twice.
   */
  readonly events: readonly NewEvent[];
}

/** A turn that has ended, and whose last events the log may lack. */
export interface UntoldEnd {
  readonly turn: TurnRecord;
  readonly events: readonly NewEvent[];
}

/** One line of the history of a session. */
export interface HistoryItem {
  /** 1, 2, 3 … in the session. */
  readonly number: number;
  readonly type: 'user' | 'assistant';
  /** As it was sent or said. */
  readonly content: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** A line of thought in a session: the main one, or that of one subagent run (GAP-97). */
export interface ThreadRecord {
  readonly id: string;
  readonly sessionId: string;
  /** The call that the subagent runs for; null for the primary thread. */
  readonly parentToolUseId: string | null;
  /** The turn that it began in; null for the primary thread. */
  readonly turnId: string | null;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}
