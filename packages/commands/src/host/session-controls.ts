import type { ContextUsage, SessionLedger } from '@qwen/agent';
import type { SessionRecord } from '@qwen/protocol';

/** The conversation and its model. What changes the conversation waits for the running turn, and for nothing else. */
export interface SessionControls {
  readonly sessionId: string;
  readonly model: string;
  /** Null goes back to the model of the start. Resolves with the model that holds now; rejects and keeps the old one. */
  setModel(model: string | null): Promise<string>;
  /** The models that the provider names; only the current one, with the reason, where it names none. */
  models(): Promise<{ readonly names: readonly string[]; readonly reason?: string }>;
  /** Forgets the conversation; the log keeps it. */
  clear(): Promise<void>;
  /** Replaces the older part by a summary; undefined when there is nothing to sum up. Rejects with the model's error. */
  compact(): Promise<{ readonly tokensBefore: number; readonly tokensAfter: number } | undefined>;
  /** The main conversation as it stands. */
  records(): Promise<readonly SessionRecord[]>;
  /** Replaces the conversation by that of the records. */
  restore(records: readonly SessionRecord[]): Promise<void>;
  contextUsage(): Promise<ContextUsage>;
  /** What the whole session has used, subagents included. */
  usage(): Promise<Pick<SessionLedger, 'models' | 'turns'>>;
}

/** A conversation that was saved by name. */
export interface Checkpoint {
  readonly tag: string;
  readonly savedAtMs: number;
}

/** Conversations saved by name, of one workspace. */
export interface CheckpointStore {
  /** The newest first. */
  list(): Promise<readonly Checkpoint[]>;
  /** Replaces what has this tag already. Whole or not at all. */
  save(tag: string, records: readonly SessionRecord[]): Promise<void>;
  /** Undefined when nothing has this tag. */
  load(tag: string): Promise<readonly SessionRecord[] | undefined>;
  /** False when nothing has this tag. */
  delete(tag: string): Promise<boolean>;
}

/** What a list shows of a stored session. */
export interface StoredSession {
  readonly sessionId: string;
  readonly modifiedAtMs: number;
  readonly title?: string;
  readonly firstPrompt?: string;
}

/** Sessions of this workspace that can be gone back to. */
export interface StoredSessions {
  /** The one used last first. */
  list(limit: number): Promise<readonly StoredSession[]>;
  /** Rejects with `session_not_found`. */
  load(sessionId: string): Promise<readonly SessionRecord[]>;
}
