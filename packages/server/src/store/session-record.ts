import type { ContentBlock, PermissionMode } from '@qwen/protocol';
import type { TurnOutcome } from '@qwen/protocol/server';
import type { NewEvent } from '../log/logged-event.js';

/** Client JSON, returned unchanged. */
export type JsonMembers = Readonly<Record<string, unknown>>;

export interface SessionRecord {
  /** A UUID, also the id of the agent's session. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Time of the last message or turn end, in epoch milliseconds. */
  readonly lastActivityAt: number;
  /** Absolute. */
  readonly workspaceRoot: string;
  /** Additional workspace folders; absolute. */
  readonly directories: readonly string[];
  /** Default: the model of the agent's settings. */
  readonly model?: string | undefined;
  readonly approvalMode: PermissionMode;
  /** Whether the log gets the increments of messages too. Fixed at creation. */
  readonly hasIncrements: boolean;
  /** Client metadata. */
  readonly metadata: JsonMembers;
  /** Data of the surface that created the session, such as a title. */
  readonly details: JsonMembers;
  /** Whether the agent has stored a conversation. */
  readonly isResumable: boolean;
}

export type SessionChange = Partial<
  Pick<
    SessionRecord,
    'lastActivityAt' | 'workspaceRoot' | 'directories' | 'model' | 'approvalMode' | 'details' | 'isResumable'
  >
>;

/** `interrupted`: the server died or shut down during the turn. */
export type TurnState = 'queued' | 'running' | TurnOutcome | 'interrupted';

/** One user message and its outcome. */
export interface TurnRecord {
  readonly id: string;
  readonly sessionId: string;
  /** The public id of the turn. */
  readonly requestId: string;
  readonly content: readonly ContentBlock[];
  /** Sent to the agent verbatim in place of the content. Default: the content. */
  readonly prompt?: readonly ContentBlock[] | undefined;
  /** Idempotency key of the client, unique in the session. */
  readonly clientKey?: string | undefined;
  readonly state: TurnState;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

export interface TurnEnding {
  readonly state: TurnOutcome | 'interrupted';
  /** Only end a queued turn. Default: end it in any state. */
  readonly from?: 'queued' | undefined;
  /** The final text of the model, for the history. Default: none. */
  readonly reply?: string | undefined;
  /** Epoch milliseconds. */
  readonly endedAt: number;
  /**
   * The last events of the turn, stored in the same transaction until the log has them. Each has an event id, so
   * that appending is idempotent.
   */
  readonly events: readonly NewEvent[];
}

/** An ended turn whose last events may be missing in the log. */
export interface OutboxEntry {
  readonly turn: TurnRecord;
  readonly events: readonly NewEvent[];
}

export interface HistoryItem {
  /** 1, 2, 3 … in the session. */
  readonly number: number;
  readonly type: 'user' | 'assistant';
  readonly content: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The main thread of a session, or that of one subagent run. */
export interface ThreadRecord {
  readonly id: string;
  readonly sessionId: string;
  /** The subagent's tool call; null for the primary thread. */
  readonly parentToolUseId: string | null;
  /** The turn that started it; null for the primary thread. */
  readonly turnId: string | null;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}
