import type { ContentBlock, Effort, PermissionMode, SandboxOption, SandboxState } from '@qwen/protocol';
import type { QuestionPolicy, TurnOutcome } from '@qwen/protocol/server';
import type { NewEvent } from '../log/logged-event.js';

export type JsonMembers = Readonly<Record<string, unknown>>;

export interface SessionRecord {
  /** A UUID, also the id of the agent's session. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Last message or turn end, in epoch milliseconds. */
  readonly lastActivityAt: number;
  /** Absolute. */
  readonly workspaceRoot: string;
  /** Absolute. */
  readonly directories: readonly string[];
  readonly model?: string | undefined;
  readonly approvalMode: PermissionMode;
  readonly effort?: Effort | undefined;
  /** See `NewSession`. */
  readonly sandbox?: SandboxOption | undefined;
  /** The state that the agent reported last. */
  readonly sandboxState?: SandboxState | undefined;
  /** Whether the log gets increments too. */
  readonly hasIncrements: boolean;
  readonly metadata: JsonMembers;
  /** Data of the API that created the session, such as a title. */
  readonly details: JsonMembers;
  readonly isResumable: boolean;
  /** See `NewSession`. */
  readonly owner?: string | undefined;
  readonly isShared?: boolean | undefined;
  readonly questionPolicy?: QuestionPolicy | undefined;
  readonly allowedTools?: readonly string[] | undefined;
  /** Chosen by a user; overrides the one of the client that created the session. */
  readonly title?: string | undefined;
  readonly isArchived?: boolean | undefined;
  /** With which anyone can read the session. */
  readonly shareLinks?: readonly ShareLink[] | undefined;
  /** The turn that waits for the answer to a question. Another one, if any, is running. */
  readonly waitingTurnId?: string | undefined;
}

export interface ShareLink {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

export type SessionChange = Partial<
  Pick<
    SessionRecord,
    | 'lastActivityAt'
    | 'workspaceRoot'
    | 'directories'
    | 'model'
    | 'approvalMode'
    | 'effort'
    | 'title'
    | 'isArchived'
    | 'shareLinks'
    | 'waitingTurnId'
    | 'sandboxState'
    | 'details'
    | 'isResumable'
    | 'isShared'
  >
>;

/** `interrupted`: the server died or shut down. */
export type TurnState = 'queued' | 'running' | TurnOutcome | 'interrupted';

export interface TurnRecord {
  readonly id: string;
  readonly sessionId: string;
  readonly requestId: string;
  readonly content: readonly ContentBlock[];
  /** Sent to the agent verbatim in place of the content. */
  readonly prompt?: readonly ContentBlock[] | undefined;
  /** Idempotency key, unique in the session. */
  readonly clientKey?: string | undefined;
  /** The name of a token. */
  readonly sender?: string | undefined;
  readonly state: TurnState;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

export interface TurnEnding {
  readonly state: TurnOutcome | 'interrupted';
  /** Only end a queued turn. */
  readonly from?: 'queued' | undefined;
  /** The final text, for the history. */
  readonly reply?: string | undefined;
  /** Epoch milliseconds. */
  readonly endedAt: number;
  /** Stored until the log has them; their ids make appending idempotent. */
  readonly events: readonly NewEvent[];
}

/** Last events that the log may not have. */
export interface OutboxEntry {
  readonly turn: TurnRecord;
  readonly events: readonly NewEvent[];
}

export interface HistoryItem {
  readonly number: number;
  readonly type: 'user' | 'assistant';
  readonly content: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

export interface ThreadRecord {
  readonly id: string;
  readonly sessionId: string;
  /** Null for the primary thread. */
  readonly parentToolUseId: string | null;
  /** Null for the primary thread. */
  readonly turnId: string | null;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** Usage by one name on one day. */
export interface UsageRecord {
  readonly tokens: number;
  readonly usd: number;
}

/** Undefined if no one has named the session. */
export function titleOf({ title, metadata, details }: SessionRecord): string | undefined {
  const titles = [title, metadata['title'], details['title']];
  return titles.find((each): each is string => typeof each === 'string' && each.trim() !== '');
}

/** For clients. Undefined before the first turn of a session that selects none. */
export function sandboxOf({ sandbox, sandboxState = sandbox }: SessionRecord): SandboxState | undefined {
  return sandboxState;
}
