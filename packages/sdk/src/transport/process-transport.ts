import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { AgentError, createDeferred, type DecodedLine, type Deferred, LineDecoder } from '@qwen/protocol';
import { endWithHost } from './end-with-host.js';
import { toSpawnError } from './spawn-error.js';
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
  #child: ChildProcessWithoutNullStreams | undefined;
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
      this.#child = child;
      this.#listen(child, onLine);
      await new Promise<void>((resolve, reject) => {
        child.once('spawn', resolve);
        child.once('error', reject);
      });
    } catch (thrown) {
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
    const child = this.#child;
    if (child?.pid === undefined) {
      this.#closed.resolve(NEVER_STARTED);
      return;
    }
    await stopChild(child, { graceMs: options.graceMs ?? this.#graceMs });
    if (!hasExited(child)) this.#release(child);
    await this.closed;
  }

  #spawn(): ChildProcessWithoutNullStreams {
    const { command, args, env, cwd } = this.#options;
    return spawn(command, [...args], { env: { ...env }, cwd, stdio: 'pipe', windowsHide: true });
  }

  /** Everything listens before the first write: an unheard error of a pipe would end this process (HOUSE §4.4). */
  #listen(child: ChildProcessWithoutNullStreams, onLine: (line: DecodedLine) => void): void {
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
    child.stderr.on('data', (chunk: Buffer) => this.#stderr.push(chunk));
    child.stderr.once('end', () => this.#stderr.end());
    child.stdin.on('drain', () => this.#settleDrain());
    child.stdin.on('error', () => this.#breakOff(child, 'The program closed its input.'));
    child.stdin.once('close', () => this.#settleDrain(inputClosed()));
    child.stdout.on('error', () => this.#breakOff(child, 'The output of the program could not be read.'));
    child.stderr.on('error', () => undefined);
    child.on('error', () => undefined);
    child.once('spawn', () => endWithHost(child));
    child.once('exit', () => this.#releaseWhenSilent(child));
    child.once('close', () => this.#closed.resolve(this.#exitOf(child)));
  }

  /**
   * A child that hears or says nothing more is of no use: it gets the grace, then the signals. The end of its output
   * is also how a program usually leaves, so only one that had to be signalled counts as broken off.
   */
  #breakOff(child: ChildProcessWithoutNullStreams, why: string): void {
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

  #releaseWhenSilent(child: ChildProcessWithoutNullStreams): void {
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
    child.once('close', () => clearTimeout(timer));
  }

  /** Lets go of pipes that somebody else still holds. */
  #release(child: ChildProcessWithoutNullStreams): void {
    child.stdin.destroy();
    child.stdout.destroy();
    child.stderr.destroy();
    this.#stderr.end();
    this.#closed.resolve(this.#exitOf(child));
  }

  #exitOf(child: ChildProcessWithoutNullStreams): TransportExit {
    if (child.pid === undefined) return NEVER_STARTED;
    return {
      exitCode: child.exitCode,
      signal: child.signalCode,
      stderrTail: this.#stderr.tail,
      ...(this.#brokenBy !== undefined && { brokenBy: this.#brokenBy }),
    };
  }
}

const NEVER_STARTED: TransportExit = { exitCode: null, signal: null, stderrTail: '' };

function inputClosed(): AgentError {
  return new AgentError('channel_closed', 'The program no longer takes input.');
}
