import type { ContextUsage, SessionLedger } from '@qwen/agent';
import type { SessionRecord } from '@qwen/protocol';

/** Operations that change the conversation wait for the running turn. */
export interface SessionControls {
  readonly sessionId: string;
  readonly model: string;
  /** Null restores the initial model. Resolves with the model in use; keeps the old one if it rejects. */
  setModel(model: string | null): Promise<string>;
  models(): Promise<{ readonly names: readonly string[]; readonly reason?: string }>;
  /** The session log keeps the conversation. */
  clear(): Promise<void>;
  /** Undefined if there is nothing to summarize. Rejects with the model's error. */
  compact(): Promise<{ readonly tokensBefore: number; readonly tokensAfter: number } | undefined>;
  records(): Promise<readonly SessionRecord[]>;
  restore(records: readonly SessionRecord[]): Promise<void>;
  contextUsage(): Promise<ContextUsage>;
  /** Includes subagents. */
  usage(): Promise<Pick<SessionLedger, 'models' | 'turns'>>;
}

export interface Checkpoint {
  readonly tag: string;
  readonly savedAtMs: number;
}

export interface CheckpointStore {
  /** Newest first. */
  list(): Promise<readonly Checkpoint[]>;
  /** Replaces an existing checkpoint atomically. */
  save(tag: string, records: readonly SessionRecord[]): Promise<void>;
  load(tag: string): Promise<readonly SessionRecord[] | undefined>;
  delete(tag: string): Promise<boolean>;
}

export interface StoredSession {
  readonly sessionId: string;
  readonly modifiedAtMs: number;
  readonly title?: string;
  readonly firstPrompt?: string;
}

export interface StoredSessions {
  /** Most recently used first. */
  list(limit: number): Promise<readonly StoredSession[]>;
  /** Rejects with `session_not_found`. */
  load(sessionId: string): Promise<readonly SessionRecord[]>;
}
