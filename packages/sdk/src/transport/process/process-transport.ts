import { AgentError, type DecodedLine, LineDecoder, type TraceContext } from '@qwen/protocol';
import { traceVariables } from '../../telemetry/query-trace.js';
import { alreadyStarted, type CloseOptions, NO_EXIT, type Transport, type TransportExit } from '../transport.js';
import { toSpawnError } from './spawn-error.js';
import type { SpawnedProcess, SpawnProcess, SpawnRequest } from './spawned-process.js';
import { StderrReader } from './stderr-reader.js';
import { DEFAULT_GRACE_MS, endWithHost, hasExited, stopChild } from './stop-child.js';

export interface ProcessTransportOptions {
  /** Absolute path, or a name on the PATH. Started without a shell. */
  readonly command: string;
  readonly args: readonly string[];
  /** The complete environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Default: the directory of this process. */
  readonly cwd?: string | undefined;
  /** Default: `child_process.spawn`. */
  readonly spawnProcess?: SpawnProcess | undefined;
  /** Trace context for the child, read when it starts. Default: none. */
  readonly trace?: (() => TraceContext | undefined) | undefined;
  /** Receives each line of stderr. Its exceptions are ignored. */
  readonly stderr?: ((line: string) => void) | undefined;
  /** Longest line to read, in bytes; a longer one is skipped and reported. Default: 16 MiB. */
  readonly maxLineBytes?: number | undefined;
  /** Default of {@link CloseOptions.graceMs}, in milliseconds. Default: 5,000. */
  readonly graceMs?: number | undefined;
}

/** A grandchild may keep the pipes open after the exit: they are closed once silent for this long. */
const SILENCE_AFTER_EXIT_MS = 50;

/**
 * Runs the CLI as a child process that reads and writes JSON lines on stdin and stdout.
 *
 * @example
 * import { ProcessTransport, query } from '@qwen/sdk';
 *
 * const transport = new ProcessTransport({
 *   command: 'docker',
 *   args: ['run', '--rm', '--interactive', 'qwen', 'qwen', '--input-format=stream-json', '--output-format=stream-json'],
 *   env: { PATH: process.env['PATH'] ?? '' },
 * });
 * for await (const message of query({ prompt: 'hi', options: { transport } })) console.log(message);
 */
export class ProcessTransport implements Transport {
  readonly #options: ProcessTransportOptions;
  readonly #stderr: StderrReader;
  readonly #closed = Promise.withResolvers<TransportExit>();
  #child: SpawnedProcess | undefined;
  #started: Promise<void> | undefined;
  #drained: PromiseWithResolvers<void> | undefined;
  #hasStarted = false;
  #isAborting = false;
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
    if (this.#hasStarted) throw alreadyStarted();
    this.#hasStarted = true;
    try {
      const child = this.#spawn();
      this.#listen(child, onLine);
      this.#started = started(child);
      await this.#started;
      endWithHost(child);
    } catch (thrown) {
      this.#child = undefined;
      const error = await toSpawnError(thrown, this.#options);
      this.#closed.resolve(NO_EXIT);
      throw error;
    }
  }

  send(line: string): Promise<void> {
    const child = this.#child;
    if (child === undefined || hasExited(child) || !child.stdin.writable) return Promise.reject(inputClosed());
    if (child.stdin.write(line)) return Promise.resolve();
    this.#drained ??= Promise.withResolvers();
    return this.#drained.promise;
  }

  endInput(): void {
    this.#child?.stdin.end();
  }

  async close(options: CloseOptions = {}): Promise<void> {
    await this.#started?.catch(() => undefined);
    const child = this.#child;
    if (child === undefined) {
      this.#closed.resolve(NO_EXIT);
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

  /** An unhandled error event of a pipe would end this process. */
  #listen(child: SpawnedProcess, onLine: (line: DecodedLine) => void): void {
    const decoder = new LineDecoder(
      this.#options.maxLineBytes === undefined ? {} : { maxLineBytes: this.#options.maxLineBytes },
    );
    const emit = (lines: readonly DecodedLine[]) => {
      this.#lastReadAt = performance.now();
      for (const line of lines) onLine(line);
    };
    child.stdout.on('data', (chunk: Buffer) => emit(decoder.push(chunk)));
    child.stdout.once('end', () => {
      emit(decoder.end());
      this.#abort(child, 'The program closed its output.');
    });
    child.stderr?.on('data', (chunk: Buffer) => this.#stderr.push(chunk));
    child.stderr?.once('end', () => this.#stderr.end());
    child.stdin.on('drain', () => this.#settleDrain());
    child.stdin.on('error', () => this.#abort(child, 'The program closed its input.'));
    child.stdin.once('close', () => this.#settleDrain(inputClosed()));
    child.stdout.on('error', () => this.#abort(child, 'The output of the program could not be read.'));
    child.stderr?.on('error', () => undefined);
    child.once('exit', () => this.#releaseWhenSilent(child));
    this.#settleWhenAllEnded(child);
  }

  #settleWhenAllEnded(child: SpawnedProcess): void {
    const pipes = [child.stdout, child.stderr].filter((pipe) => pipe !== null && pipe !== undefined);
    const ends = pipes.map((pipe) => new Promise<void>((resolve) => pipe.once('close', resolve)));
    const exit = new Promise<void>((resolve) => child.once('exit', resolve));
    void Promise.all([exit, ...ends]).then(() => this.#closed.resolve(this.#exitOf(child)));
  }

  /** Closing its output is a normal way to exit: `brokenBy` is set only if a signal was needed. */
  #abort(child: SpawnedProcess, why: string): void {
    if (this.#isAborting || hasExited(child)) return;
    this.#isAborting = true;
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
    const check = () => {
      const silentMs = performance.now() - this.#lastReadAt;
      if (silentMs >= SILENCE_AFTER_EXIT_MS) this.#release(child);
      else wait(SILENCE_AFTER_EXIT_MS - silentMs);
    };
    const wait = (waitMs: number) => {
      // After the poll phase, when a busy host has read the pipe.
      timer = setTimeout(() => setImmediate(() => setImmediate(check)), waitMs);
    };
    wait(SILENCE_AFTER_EXIT_MS);
    void this.closed.then(() => clearTimeout(timer));
  }

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

function spawnChild({ command, args, env, cwd }: SpawnRequest): SpawnedProcess {
  // Loaded on demand: takes 4 ms.
  const { spawn } = process.getBuiltinModule('node:child_process');
  return spawn(command, [...args], { env: { ...env }, cwd, stdio: 'pipe', windowsHide: true });
}

/** A failed start is emitted before the next turn of the event loop. */
function started(child: SpawnedProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    setImmediate(resolve);
  });
}

function inputClosed(): AgentError {
  return new AgentError('channel_closed', 'Input stream closed: the CLI process no longer accepts input.');
}
