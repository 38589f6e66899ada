import type { Readable, Writable } from 'node:stream';

/** What shall be started. */
export interface SpawnRequest {
  /** The program; no shell reads it. */
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string>>;
  /** Undefined means the folder of this process. */
  readonly cwd: string | undefined;
}

/**
 * A process as a query needs it: the part of Node's `ChildProcess` that something else can offer too, such as a client
 * of a container or of another machine. The query that started it ends it.
 */
export interface SpawnedProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Null or missing where errors come another way. */
  readonly stderr?: Readable | null | undefined;
  readonly pid?: number | undefined;
  /** Null until `exit`, and after it when a signal ended the process. */
  readonly exitCode: number | null;
  /** Null until `exit`, and after it when the process left by itself. */
  readonly signalCode: string | null;
  /** Sends a signal: first `SIGTERM`, then `SIGKILL`. It must not throw, also after the exit. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): unknown;
  /** `exit` comes once, when the process is gone and both codes say how. */
  once(event: 'exit', listener: () => void): unknown;
  off(event: 'exit', listener: () => void): unknown;
  /** `error` comes in the same turn of the event loop when the process cannot be started; `exit` then never comes. */
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** Starts a process. What it throws is the `spawn_failed` of the query. */
export type SpawnProcess = (request: SpawnRequest) => SpawnedProcess;
