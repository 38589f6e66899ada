import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { LineDecoder, readFrame } from '@qwen/protocol';

export type Line = Readonly<Record<string, unknown>>;

/** For each thing that is waited for, in milliseconds. */
const LIMIT_MS = 60_000;

/** A child process that speaks JSON lines. Dispose kills it. */
export class LineProgram implements AsyncDisposable {
  readonly lines: Line[] = [];
  /** Lines that the schemas refuse, with the reason. */
  readonly invalid: string[] = [];
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  #stderr = '';
  #seen = 0;
  #arrived = Promise.withResolvers<void>();

  constructor(command: readonly string[], options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }) {
    const [program = '', ...args] = command;
    this.#child = spawn(program, args, { ...options, stdio: 'pipe' });
    this.#exited = new Promise((resolve) => {
      this.#child.once('error', (error) => {
        this.#stderr += error.message;
        resolve(error.message);
      });
      this.#child.once('close', (code, signal) => resolve(code ?? signal));
    });
    void this.#exited.then(() => this.#arrived.resolve());
    const decoder = new LineDecoder();
    this.#child.stdout?.on('data', (chunk: Buffer) => {
      for (const line of decoder.push(chunk)) if (line.ok) this.#take(line.text);
    });
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-1000);
    });
    this.#child.stdin?.on('error', () => undefined);
  }

  send(line: object | string): void {
    this.#child.stdin?.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  }

  /** The first line from the last one found that matches. Rejects after the limit, and when the program ends. */
  async next(what: string, matches: (line: Line) => boolean): Promise<Line> {
    const limit = Promise.withResolvers<never>();
    const timer = setTimeout(() => limit.reject(this.#failure(`no ${what} within ${LIMIT_MS / 1000} s`)), LIMIT_MS);
    let hasEnded = false;
    const ended = this.#exited.then(() => {
      hasEnded = true;
    });
    try {
      for (;;) {
        const index = this.lines.findIndex((line, at) => at >= this.#seen && matches(line));
        const found = this.lines[index];
        if (found !== undefined) {
          this.#seen = index + 1;
          return found;
        }
        if (hasEnded) throw this.#failure(`the program ended before ${what}`);
        await Promise.race([this.#arrived.promise, ended, limit.promise]);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Closes stdin; the exit code, or the name of the signal. */
  async end(): Promise<unknown> {
    this.#child.stdin?.end();
    const limit = Promise.withResolvers<never>();
    const timer = setTimeout(() => limit.reject(this.#failure('the program did not end')), LIMIT_MS);
    return Promise.race([this.#exited, limit.promise]).finally(() => clearTimeout(timer));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null || this.#child.pid === undefined) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }

  #take(text: string): void {
    const frame = readFrame(text);
    if (frame.kind === 'invalid') this.invalid.push(`${frame.error.message} ${text.slice(0, 200)}`);
    try {
      this.lines.push(JSON.parse(text));
    } catch {
      return;
    }
    this.#arrived.resolve();
    this.#arrived = Promise.withResolvers();
  }

  #failure(what: string): Error {
    const types = this.lines.slice(-5).map(({ type, subtype }) => [type, subtype].filter(Boolean).join('/'));
    return new Error(
      `${what}; last lines: ${types.join(', ') || 'none'}; stderr: ${this.#stderr.trim().slice(-300) || 'empty'}`,
    );
  }
}
