import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { type LineMatch, LineTranscript, type ProgramLine } from './line-transcript.js';

export interface LineProcessOptions {
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  /** The whole environment of the child. Default: that of the test. */
  readonly env?: Readonly<Record<string, string>>;
  /** How long `next` waits. Default 15 s. */
  readonly deadlineMs?: number;
  /** `later` leaves the pipe unread until `startReading()`. Default `at-once`. */
  readonly reads?: 'at-once' | 'later';
}

/** How a process ended: one of the two is not null. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * A real program on the other end of raw pipes, for tests that look at single lines. {@link startLineProcess} starts
 * one; take it with `await using`, leaving the scope kills it.
 */
export class LineProcess implements AsyncDisposable {
  /** Settles when the process has ended and its pipes are read to their end. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #transcript: LineTranscript;
  #stderr = '';

  constructor(child: ChildProcessByStdio<Writable, Readable, Readable>, options: LineProcessOptions) {
    this.#child = child;
    this.#transcript = new LineTranscript({ deadlineMs: options.deadlineMs ?? 15_000, stderr: () => this.#stderr });
    // A program that dies while we write is what some tests are about; the broken pipe shows in `exited`.
    child.stdin.on('error', () => {});
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    if (options.reads !== 'later') this.startReading();
    this.exited = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        this.#transcript.end();
        resolve({ code, signal });
      });
    });
  }

  get pid(): number {
    const { pid } = this.#child;
    if (pid === undefined) throw new Error('the process did not start');
    return pid;
  }

  /** Everything read from stdout so far, line by line. */
  get lines(): readonly ProgramLine[] {
    return this.#transcript.lines;
  }

  /** Everything read from stderr so far. */
  get stderr(): string {
    return this.#stderr;
  }

  /** The first group of a pattern, or its whole match, as soon as stderr holds it. Rejects when the process ends first. */
  said(pattern: RegExp): Promise<string> {
    return this.#found(pattern, this.#child.stderr, () => this.#stderr);
  }

  /** The same of the lines of stdout. */
  printed(pattern: RegExp): Promise<string> {
    return this.#found(pattern, this.#child.stdout, () => this.lines.map(({ text }) => text).join('\n'));
  }

  startReading(): void {
    this.#child.stdout.on('data', (chunk: Buffer) => this.#transcript.push(chunk));
  }

  /** Writes one line: a string as it stands, anything else as JSON. */
  send(line: unknown): void {
    this.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  }

  /** Writes bytes as they are, without a newline. */
  write(bytes: string | Uint8Array): void {
    this.#child.stdin.write(bytes);
  }

  endInput(): void {
    this.#child.stdin.end();
  }

  /** Closes our reading end of stdout, as a host does that dies. */
  closeOutput(): void {
    this.#child.stdout.destroy();
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.#child.kill(signal);
  }

  /**
   * The next JSON line that matches, counted from the last match; lines between are passed over. A match is a
   * predicate or a part that the line must hold. Rejects with the whole transcript when the deadline passes or
   * stdout ends first.
   */
  next(match: LineMatch): Promise<Record<string, unknown>> {
    return this.#transcript.next(match);
  }

  #found(pattern: RegExp, stream: Readable, read: () => string): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(read());
        if (found !== null) resolve(found[1] ?? found[0]);
      };
      look();
      stream.on('data', look);
      void this.exited.then(() => reject(new Error(`it never said ${pattern}: ${read()} ${this.#stderr}`)));
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.kill();
    this.#child.stdout.resume();
    await this.exited;
  }
}

/** Starts a program. Rejects when it cannot be started. */
export async function startLineProcess(options: LineProcessOptions): Promise<LineProcess> {
  const child = spawn(options.command, options.args ?? [], {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const program = new LineProcess(child, options);
  await once(child, 'spawn');
  return program;
}
