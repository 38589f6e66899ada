import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

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
