import type { Readable, Writable } from 'node:stream';

/** The process to start. */
export interface SpawnRequest {
  /** Not interpreted by a shell. */
  readonly command: string;
  readonly args: readonly string[];
  /** The complete environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Undefined: the directory of this process. */
  readonly cwd: string | undefined;
}

/**
 * The part of Node's `ChildProcess` that a query needs; a container or SSH client can implement it too. The query
 * ends it.
 */
export interface SpawnedProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Optional. */
  readonly stderr?: Readable | null | undefined;
  readonly pid?: number | undefined;
  /** Null until `exit`, and after it if a signal ended the process. */
  readonly exitCode: number | null;
  /** Null until `exit`, and after it if the process exited by itself. */
  readonly signalCode: string | null;
  /** Must not throw, not even after the exit. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): unknown;
  /** Emitted once, when the process is gone and `exitCode` or `signalCode` is set. */
  once(event: 'exit', listener: () => void): unknown;
  off(event: 'exit', listener: () => void): unknown;
  /** Emitted in the same turn of the event loop if the process cannot be started; `exit` then never follows. */
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** Starts a process. The query rejects with `spawn_failed` if it throws. */
export type SpawnProcess = (request: SpawnRequest) => SpawnedProcess;
