import { AgentError, type DecodedLine } from '@qwen/protocol';

/** How the other end exited. Both codes are null if it never started or is not a process. */
export interface TransportExit {
  readonly exitCode: number | null;
  /** The signal that ended the process, such as `SIGKILL`. */
  readonly signal: string | null;
  /** The end of the process's stderr, at most 64 KiB. */
  readonly stderrTail: string;
  /** Why the SDK ended it, if the channel broke first. */
  readonly brokenBy?: string;
  /** Replaces `process_exited` as the error of the query. */
  readonly error?: AgentError;
}

/** For a transport that never started or reports no exit status. */
export const NO_EXIT: TransportExit = { exitCode: null, signal: null, stderrTail: '' };

export function alreadyStarted(): AgentError {
  return new AgentError('already_reading', 'A transport serves one query. Create another one.');
}

export interface CloseOptions {
  /** Milliseconds that the other end may take to exit after its input ended; 0 ends it at once. Default: 5,000. */
  readonly graceMs?: number | undefined;
}

/** Carries lines between one {@link Query}, which closes it, and a CLI. Constructors do no I/O. */
export interface Transport {
  /**
   * Opens the channel. Calls `onLine` for each line of the other end, in order, until `closed`. Reading never pauses:
   * `onLine` must neither block nor throw. Lines may be sent at once. Rejects with `cli_not_found`, `cwd_missing` or
   * `spawn_failed`, the second time with `already_reading`.
   */
  start(onLine: (line: DecodedLine) => void): Promise<void>;
  /**
   * Sends one line, which includes its line end, in the order of the calls. Resolves when the channel takes more.
   * Rejects with `channel_closed` when the channel is closed.
   */
  send(line: string): Promise<void>;
  /** Ends the input of the other end, after the lines already sent. */
  endInput(): void;
  /** Ends the other end, by force if needed. Resolves when it is gone. Idempotent, never rejects. */
  close(options?: CloseOptions): Promise<void>;
  /** Resolves when the other end is gone, after the last line. Never rejects. */
  readonly closed: Promise<TransportExit>;
  /** The process id, while there is a process. */
  readonly pid: number | undefined;
}
