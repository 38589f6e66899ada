import type { QueryOptions } from '../options/options.js';
import type { HostTool } from './host-tool.js';

/** Detection of a process that hangs. */
export interface HeartbeatOptions {
  /** Milliseconds between requests. Default: 15,000. */
  readonly intervalMs?: number | undefined;
  /** Milliseconds without any line after a request until the process counts as hung. Default: 10,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * Whether to replace a process that hangs or exits. Everything pending rejects with `timeout` or `process_exited`;
   * its sessions then resume from storage in the new process. A process that fails before it answers anything ends
   * the session. Default: false, any failure ends the session.
   */
  readonly restart?: boolean | undefined;
}

/** Options of `query()` that a process with many sessions cannot have. */
type QueryOnly =
  | 'sessionId'
  | 'resume'
  | 'continue'
  | 'forkSession'
  | 'resumeSessionAt'
  | 'includePartialMessages'
  | 'includeHookEvents'
  | 'outputSchema'
  | 'outputFormat'
  | 'sessionStore'
  | 'sessionStoreFlush'
  | 'loadTimeoutMs'
  | 'tools';

/** Options of {@link openSession}. An unknown member throws `invalid_options`. */
export interface SessionOptions extends Omit<QueryOptions, QueryOnly> {
  /** Complete messages, or chunks as they arrive. Default: `message`. */
  readonly format?: 'message' | 'chunk' | undefined;
  /** The default session; the id of a stored session resumes it. Default: a new session with a random id. */
  readonly sessionId?: string | undefined;
  /** Tools that this app runs. */
  readonly tools?: readonly HostTool[] | undefined;
  /** False disables heartbeats. They are only sent to a CLI that supports them. */
  readonly heartbeat?: HeartbeatOptions | false | undefined;
  /** Validates every line at both ends: an invalid one ends the session. Default: false. */
  readonly strictProtocol?: boolean | undefined;
}
