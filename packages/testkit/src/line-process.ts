import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { type LineMatch, LineTranscript, type ProgramLine } from './line-transcript.js';

export interface LineProcessOptions {
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly deadlineMs?: number;
  /** `later` leaves the pipe unread until `startReading()`. Default `at-once`. */
  readonly reads?: 'at-once' | 'later';
}

/** Exactly one member is not null. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A child process with raw pipes, started by {@link startLineProcess}. Disposing it kills the process. */
export class LineProcess implements AsyncDisposable {
  /** Settles when the process has ended and its pipes are drained. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #transcript: LineTranscript;
  #stderr = '';

  constructor(child: ChildProcessByStdio<Writable, Readable, Readable>, options: LineProcessOptions) {
    this.#child = child;
    this.#transcript = new LineTranscript({ deadlineMs: options.deadlineMs ?? 15_000, stderr: () => this.#stderr });
    // Some tests kill the child while we write; `exited` reports it.
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

  get lines(): readonly ProgramLine[] {
    return this.#transcript.lines;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /**
   * Resolves with the first group of the pattern, or the whole match, once stderr contains it. Rejects when the
   * process ends first.
   */
  said(pattern: RegExp): Promise<string> {
    return this.#found(pattern, this.#child.stderr, () => this.#stderr);
  }

  /** Like `said`, for stdout. */
  printed(pattern: RegExp): Promise<string> {
    return this.#found(pattern, this.#child.stdout, () => this.lines.map(({ text }) => text).join('\n'));
  }

  startReading(): void {
    this.#child.stdout.on('data', (chunk: Buffer) => this.#transcript.push(chunk));
  }

  send(line: unknown): void {
    this.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  }

  write(bytes: string | Uint8Array): void {
    this.#child.stdin.write(bytes);
  }

  endInput(): void {
    this.#child.stdin.end();
  }

  /** Closes our end of stdout, like a host that dies. */
  closeOutput(): void {
    this.#child.stdout.destroy();
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.#child.kill(signal);
  }

  /**
   * The next matching JSON line after the last match; other lines are skipped. Rejects with the transcript at the
   * deadline or when stdout ends.
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
