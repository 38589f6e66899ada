import type { CallFacts } from './permission/call-facts.js';

export interface RewoundFile {
  /** Absolute, without links. */
  readonly path: string;
  readonly action: 'restore' | 'recreate' | 'delete';
  /** Someone else changed it after the session did. */
  readonly changedSince?: boolean;
  /** A copy of the content that was replaced, after a restore of such a file. */
  readonly copy?: string;
  /** Why it stays as it is. */
  readonly refused?: string;
  /** What the session did to it, as a unified diff. Missing for binary, large and refused files. */
  readonly diff?: string;
}

export interface FileRewind {
  /** Sorted by path; files that need no change are missing. */
  readonly files: readonly RewoundFile[];
  /** Lines, without those of binary and refused files. */
  readonly insertions: number;
  readonly deletions: number;
}

/** The files that tools changed, by user message. */
export interface FileHistoryPort {
  /**
   * Keeps copies of what the call may change. Call the result when the call has ended. Neither rejects: a file that
   * cannot be kept is announced, and cannot be restored.
   */
  beforeCall(facts: CallFacts): Promise<() => Promise<void>>;
  /** What `restore` would do. Rejects with `message_not_found`. */
  preview(messageId: string): Promise<FileRewind>;
  /**
   * Restores the files as they were when this message was sent. Each file changes in one step. Rejects with
   * `message_not_found` and with storage errors, before the first change.
   */
  restore(messageId: string): Promise<FileRewind>;
}
