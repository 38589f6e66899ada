import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import type * as z from 'zod/mini';

/** A program to measure; `node` itself unless a command is named. */
export interface Program {
  readonly command?: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
  /** The whole environment. Default: ours. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** The baseline of every figure that starts a process. */
export const BARE_NODE: Program = { args: ['-e', '0'] };

interface Waiter {
  readonly matches: (line: string) => boolean;
  readonly resolve: (line: string) => void;
  readonly reject: (error: Error) => void;
}

/** A running program whose stdout is read line by line. It fails loudly when it leaves before the line we wait for. */
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
      this.#waiter?.reject(new Error(`${args.join(' ')} left with ${String(code)} before its line: ${this.#stderr}`));
    });
  }

  get pid(): number {
    const { pid } = this.#child;
    if (pid === undefined) throw new Error('the program did not start');
    return pid;
  }

  write(text: string): void {
    this.#child.stdin.write(text);
  }

  /** The next line that matches; those before it are dropped. One waiter at a time. */
  line(matches: (line: string) => boolean = () => true): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#waiter = { matches, resolve, reject };
    });
  }

  /** Ends stdin and resolves once the program is gone. */
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

/** Milliseconds from the spawn to the end of the process. Rejects when it fails. */
export async function wholeProcess({ command = process.execPath, args, cwd, env }: Program): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(command, args, { cwd, env: env ?? process.env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  const tookMs = performance.now() - startedAt;
  if (code !== 0) throw new Error(`${args.join(' ')} left with ${String(code)}`);
  return tookMs;
}

/** What a program prints as its one JSON line. */
export async function reportOf<Report>(program: Program, schema: z.ZodMiniType<Report>): Promise<Report> {
  const child = new LineChild(program);
  const line = await child.line();
  await child.end();
  return schema.parse(JSON.parse(line));
}
