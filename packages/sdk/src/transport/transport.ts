import type { AgentError, DecodedLine } from '@qwen/protocol';

/** How the other end went away. Both codes are null when it never started or is not a process. */
export interface TransportExit {
  readonly exitCode: number | null;
  /** The signal that ended the process, such as `SIGKILL`. */
  readonly signal: string | null;
  /** The last text that the process wrote to stderr, at most 64 KiB. */
  readonly stderrTail: string;
  /** Why we ended it ourselves, when the channel broke before the process did. */
  readonly brokenBy?: string;
  /** Why the channel is no more, where that says more than how a process went. */
  readonly error?: AgentError;
}

export interface CloseOptions {
  /**
   * Milliseconds that the other end gets to leave by itself after its input ended. Default 5,000; 0 ends it at once.
   */
  readonly graceMs?: number | undefined;
}

/**
 * Carries lines between a {@link Query} and a CLI (O-25). The query that was given a transport owns it and closes it.
 * Constructors do no I/O; `start` opens.
 */
export interface Transport {
  /**
   * Opens the channel. Calls `onLine` for each line of the other end, in order, as it arrives and until `closed`:
   * reading never pauses, so `onLine` must neither block nor throw. Lines may be sent as soon as this was called.
   * Rejects with `cli_not_found`, `cwd_missing` or `spawn_failed`.
   */
  start(onLine: (line: DecodedLine) => void): Promise<void>;
  /**
   * Sends one line, its line end included. Lines leave in the order of the calls. Resolves when the channel takes
   * more: at once, or after it drained. Rejects with `channel_closed` when it is or gets closed.
   */
  send(line: string): Promise<void>;
  /** Tells the other end that nothing more will come. Lines that were sent before still arrive. */
  endInput(): void;
  /** Ends the other end, politely, then firmly, then surely. Resolves when it is gone; idempotent, never rejects. */
  close(options?: CloseOptions): Promise<void>;
  /** Settles once, after the last line, when the other end is gone. Never rejects. */
  readonly closed: Promise<TransportExit>;
  /** The process id, while there is a process. */
  readonly pid: number | undefined;
}
