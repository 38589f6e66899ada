import { spawn } from 'node:child_process';
import {
  AgentError,
  createDeferred,
  type DecodedLine,
  type Deferred,
  LineDecoder,
  type TraceContext,
} from '@qwen/protocol';
import { traceVariables } from '../telemetry/trace-headers.js';
import { endWithHost } from './end-with-host.js';
import { toSpawnError } from './spawn-error.js';
import type { SpawnedProcess, SpawnProcess, SpawnRequest } from './spawned-process.js';
import { StderrReader } from './stderr-reader.js';
import { DEFAULT_GRACE_MS, hasExited, stopChild } from './stop-child.js';
import type { CloseOptions, Transport, TransportExit } from './transport.js';

export interface ProcessTransportOptions {
  /** The program: an absolute path, or a name that the system finds. Started without a shell. */
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the child. */
  readonly env: Readonly<Record<string, string>>;
  /** The folder the child works in. Default: that of this process. */
  readonly cwd?: string | undefined;
  /** Starts the program. Default: as a child of this process. */
  readonly spawnProcess?: SpawnProcess | undefined;
  /** The span that the child shall belong to; asked once, when it starts. Default: none. */
  readonly trace?: (() => TraceContext | undefined) | undefined;
  /** Gets each line of the child's stderr, without line end. What it throws is ignored. */
  readonly stderr?: ((line: string) => void) | undefined;
  /** Longest line that the child may send, in bytes. Default 16 MiB; a longer one is skipped and reported. */
  readonly maxLineBytes?: number | undefined;
  /** What `close` waits for each polite step where it is not told otherwise, in milliseconds. Default 5,000. */
  readonly graceMs?: number | undefined;
}

/** After its exit, a child's pipes are read until they end or stay silent for this long: a grandchild may hold them. */
const SILENCE_AFTER_EXIT_MS = 50;

/** The CLI as a child process, one JSON line each way at a time over stdin and stdout (O-16 … O-24). */
export class ProcessTransport implements Transport {
  readonly #options: ProcessTransportOptions;
  readonly #stderr: StderrReader;
  readonly #closed = createDeferred<TransportExit>();
  #child: SpawnedProcess | undefined;
  #started: Promise<void> | undefined;
  #drained: Deferred<void> | undefined;
  #isBreakingOff = false;
  #brokenBy: string | undefined;
  #lastReadAt = 0;

  constructor(options: ProcessTransportOptions) {
    this.#options = options;
    this.#stderr = new StderrReader(options.stderr);
  }

  get #graceMs(): number {
    return this.#options.graceMs ?? DEFAULT_GRACE_MS;
  }

  get closed(): Promise<TransportExit> {
    return this.#closed.promise;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  async start(onLine: (line: DecodedLine) => void): Promise<void> {
    try {
      const child = this.#spawn();
      this.#listen(child, onLine);
      this.#started = started(child);
      await this.#started;
      endWithHost(child);
    } catch (thrown) {
      this.#child = undefined;
      const error = await toSpawnError(thrown, this.#options);
      this.#closed.resolve(NEVER_STARTED);
      throw error;
    }
  }

  send(line: string): Promise<void> {
    const child = this.#child;
    if (child === undefined || hasExited(child) || !child.stdin.writable) return Promise.reject(inputClosed());
    if (child.stdin.write(line)) return Promise.resolve();
    this.#drained ??= createDeferred();
    return this.#drained.promise;
  }

  endInput(): void {
    this.#child?.stdin.end();
  }

  async close(options: CloseOptions = {}): Promise<void> {
    // A start that fails is told in a moment, and what never started cannot be stopped.
    await this.#started?.catch(() => undefined);
    const child = this.#child;
    if (child === undefined) {
      this.#closed.resolve(NEVER_STARTED);
      return;
    }
    await stopChild(child, { graceMs: options.graceMs ?? this.#graceMs });
    if (!hasExited(child)) this.#release(child);
    await this.closed;
  }

  #spawn(): SpawnedProcess {
    const { command, args, env, cwd, trace, spawnProcess = spawnChild } = this.#options;
    this.#child = spawnProcess({ command, args, env: { ...env, ...traceVariables(trace?.()) }, cwd });
    return this.#child;
  }

  /** Everything listens before the first write: an unheard error of a pipe would end this process (HOUSE §4.4). */
  #listen(child: SpawnedProcess, onLine: (line: DecodedLine) => void): void {
    const decoder = new LineDecoder(
      this.#options.maxLineBytes === undefined ? {} : { maxLineBytes: this.#options.maxLineBytes },
    );
    const handOut = (lines: readonly DecodedLine[]) => {
      this.#lastReadAt = performance.now();
      for (const line of lines) onLine(line);
    };
    child.stdout.on('data', (chunk: Buffer) => handOut(decoder.push(chunk)));
    child.stdout.once('end', () => {
      handOut(decoder.end());
      this.#breakOff(child, 'The program closed its output.');
    });
    child.stderr?.on('data', (chunk: Buffer) => this.#stderr.push(chunk));
    child.stderr?.once('end', () => this.#stderr.end());
    child.stdin.on('drain', () => this.#settleDrain());
    child.stdin.on('error', () => this.#breakOff(child, 'The program closed its input.'));
    child.stdin.once('close', () => this.#settleDrain(inputClosed()));
    child.stdout.on('error', () => this.#breakOff(child, 'The output of the program could not be read.'));
    child.stderr?.on('error', () => undefined);
    child.once('exit', () => this.#releaseWhenSilent(child));
    this.#settleWhenAllEnded(child);
  }

  /** Nothing more can come when the process is gone and both of its pipes are closed. */
  #settleWhenAllEnded(child: SpawnedProcess): void {
    const pipes = [child.stdout, child.stderr].filter((pipe) => pipe !== null && pipe !== undefined);
    const ends = pipes.map((pipe) => new Promise<void>((resolve) => pipe.once('close', resolve)));
    const exit = new Promise<void>((resolve) => child.once('exit', resolve));
    void Promise.all([exit, ...ends]).then(() => this.#closed.resolve(this.#exitOf(child)));
  }

  /**
   * A child that hears or says nothing more is of no use: it gets the grace, then the signals. The end of its output
   * is also how a program usually leaves, so only one that had to be signalled counts as broken off.
   */
  #breakOff(child: SpawnedProcess, why: string): void {
    if (this.#isBreakingOff || hasExited(child)) return;
    this.#isBreakingOff = true;
    const onSignal = () => {
      this.#brokenBy = why;
    };
    stopChild(child, { graceMs: this.#graceMs, onSignal }).catch(() => undefined);
  }

  #settleDrain(error?: AgentError): void {
    const drained = this.#drained;
    this.#drained = undefined;
    if (error === undefined) drained?.resolve();
    else drained?.reject(error);
  }

  #releaseWhenSilent(child: SpawnedProcess): void {
    this.#settleDrain(inputClosed());
    this.#lastReadAt = performance.now();
    let timer: NodeJS.Timeout;
    const look = () => {
      const silentMs = performance.now() - this.#lastReadAt;
      if (silentMs >= SILENCE_AFTER_EXIT_MS) this.#release(child);
      else wait(SILENCE_AFTER_EXIT_MS - silentMs);
    };
    const wait = (waitMs: number) => {
      // The look comes after the poll phase: a host that was busy has then read what was waiting in the pipe.
      timer = setTimeout(() => setImmediate(() => setImmediate(look)), waitMs);
    };
    wait(SILENCE_AFTER_EXIT_MS);
    void this.closed.then(() => clearTimeout(timer));
  }

  /** Lets go of pipes that somebody else still holds. */
  #release(child: SpawnedProcess): void {
    child.stdin.destroy();
    child.stdout.destroy();
    child.stderr?.destroy();
    this.#stderr.end();
    this.#closed.resolve(this.#exitOf(child));
  }

  #exitOf(child: SpawnedProcess): TransportExit {
    return {
      exitCode: child.exitCode,
      signal: child.signalCode,
      stderrTail: this.#stderr.tail,
      ...(this.#brokenBy !== undefined && { brokenBy: this.#brokenBy }),
    };
  }
}

const NEVER_STARTED: TransportExit = { exitCode: null, signal: null, stderrTail: '' };

const spawnChild = ({ command, args, env, cwd }: SpawnRequest): SpawnedProcess =>
  spawn(command, [...args], { env: { ...env }, cwd, stdio: 'pipe', windowsHide: true });

/** A failed start is told before the event loop turns; later errors of the process change nothing. */
function started(child: SpawnedProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    setImmediate(resolve);
  });
}

function inputClosed(): AgentError {
  return new AgentError('channel_closed', 'The program no longer takes input.');
}
