import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { isolatedEnvironment } from '@qwen/testkit';

const execute = promisify(execFile);

/** A PATH with this Node.js first. */
export const PROGRAMS = `${dirname(process.execPath)}:${process.env['PATH']}`;
/** Arguments of npm. */
export const INSTALL = ['install', '--no-audit', '--no-fund', '--prefer-offline'] as const;

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program and returns its stdout. Throws with all of its output if it fails. */
export async function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const env = { ...(options.env ?? process.env), NO_COLOR: '1' };
  try {
    return (await execute(program, args, { ...options, env, maxBuffer: 64 * 1024 * 1024 })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(' ')} failed.\n${stdout}${stderr}`, { cause: error });
  }
}

/** Variables for a home without settings, with this Node.js first on the PATH. */
export function cleanEnvironment(home: string, extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  return isolatedEnvironment(home, { PATH: PROGRAMS, ...extra });
}

/** Named checks that run one after the other. */
export class Checklist {
  readonly #failed: string[] = [];
  readonly #filter: string;

  /** Skips checks whose name does not contain `filter`. */
  constructor(filter = '') {
    this.#filter = filter;
  }

  async step(name: string, check: () => Promise<unknown>): Promise<void> {
    if (!name.includes(this.#filter)) return;
    const startedAt = performance.now();
    try {
      await check();
      console.log(`ok   ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
    } catch (error) {
      this.#failed.push(name);
      console.log(`FAIL ${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** Prints the outcome and sets the exit code. */
  finish(success: string): void {
    console.log(this.#failed.length === 0 ? success : `failed: ${this.#failed.join(', ')}`);
    process.exitCode = this.#failed.length === 0 ? 0 : 1;
  }
}
