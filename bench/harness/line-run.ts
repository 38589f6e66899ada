import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Program } from './child.ts';

export interface LineRun {
  readonly output: Buffer;
  readonly lines: number;
  /** From spawn to the end of the output. */
  readonly wallMs: number;
  /** From the first line after the skipped ones to the last. */
  readonly streamMs: number;
}

const LINE_FEED = 10;

/** Writes `input` and counts the output lines. Rejects if the program fails. */
export async function runLines(program: Program, input: string, skipped = 0): Promise<LineRun> {
  const { command = process.execPath, args, cwd, env } = program;
  const startedAt = performance.now();
  const child = spawn(command, args, { cwd, env: env ?? process.env, stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  child.stdin.end(input);
  const chunks: Buffer[] = [];
  let lines = 0;
  let firstAt = startedAt;
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    const before = lines;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) lines += 1;
    if (before <= skipped && lines > skipped) firstAt = performance.now();
  }
  const endedAt = performance.now();
  const [code] = await exited;
  if (code !== 0) throw new Error(`${args.join(' ')} exited with ${String(code)}`);
  return { output: Buffer.concat(chunks), lines, wallMs: endedAt - startedAt, streamMs: endedAt - firstAt };
}
