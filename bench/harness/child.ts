import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import type * as z from 'zod/mini';

/** `node` unless `command` is set. */
export interface Program {
  readonly command?: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
  /** The whole environment. Default: inherited. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

export const BARE_NODE: Program = { args: ['-e', '0'] };

interface Waiter {
  readonly matches: (line: string) => boolean;
  readonly resolve: (line: string) => void;
  readonly reject: (error: Error) => void;
}

/** Reads the stdout of a program line by line. Fails if it exits before the expected line. */
export class LineChild {
  readonly startedAt = performance.now();
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #exited: Promise<unknown>;
  #rest = '';
  #stderr = '';
  #waiter: Waiter | undefined;

  constructor({ command = process.execPath, args, cwd, env }: Program) {
    this.#child = spawn(command, args, { cwd, env: env ?? process.env, stdio: 'pipe' });
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => this.#split(text));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-4096);
    });
    this.#child.stdin.on('error', () => {});
    this.#exited = once(this.#child, 'close');
    this.#child.once('close', (code) => {
      this.#waiter?.reject(
        new Error(`${args.join(' ')} exited with ${String(code)} before the expected line: ${this.#stderr}`),
      );
    });
  }

  get pid(): number {
    const { pid } = this.#child;
    if (pid === undefined) throw new Error('The program did not start.');
    return pid;
  }

  write(text: string): void {
    this.#child.stdin.write(text);
  }

  /** Drops the lines before the match. One caller at a time. */
  line(matches: (line: string) => boolean = () => true): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#waiter = { matches, resolve, reject };
    });
  }

  /** Closes stdin and waits for the exit. */
  async end(): Promise<void> {
    this.#child.stdin.end();
    await this.#exited;
  }

  #split(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (this.#waiter?.matches(line) !== true) continue;
      const { resolve } = this.#waiter;
      this.#waiter = undefined;
      resolve(line);
    }
  }
}

/** Milliseconds from spawn to exit. Rejects if the program fails. */
export async function wholeProcess({ command = process.execPath, args, cwd, env }: Program): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(command, args, { cwd, env: env ?? process.env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  const tookMs = performance.now() - startedAt;
  if (code !== 0) throw new Error(`${args.join(' ')} exited with ${String(code)}`);
  return tookMs;
}

/** Parses the single JSON line of a program. */
export async function reportOf<Report>(program: Program, schema: z.ZodMiniType<Report>): Promise<Report> {
  const child = new LineChild(program);
  const line = await child.line();
  await child.end();
  return schema.parse(JSON.parse(line));
}
