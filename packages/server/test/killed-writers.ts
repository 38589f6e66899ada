import { fileURLToPath } from 'node:url';
import { startLineProcess } from '@qwen/testkit';

const APPEND_EVENTS = fileURLToPath(new URL('./programs/append-events.js', import.meta.url));

/** A program that appends the events `first`, `first + 1` … to session `a` until it is stopped. */
export function startWriter(place: string, first: number) {
  return startLineProcess({ command: process.execPath, args: [APPEND_EVENTS, place, 'a', String(first)] });
}

type Writer = Awaited<ReturnType<typeof startWriter>>;

/** Lets it write, kills it at a random moment, and returns the last acknowledged seq. */
export async function killSomewhere(writer: Writer, after: number): Promise<number> {
  const enough = after + Math.floor(Math.random() * 60);
  await writer.next((line) => typeof line['acknowledged'] === 'number' && line['acknowledged'] > enough);
  writer.kill();
  await writer.exited;
  const seqs = writer.lines.map(({ json }) => Number(json?.['acknowledged'] ?? 0));
  return Math.max(...seqs);
}

/** Rounds of the kill tests; 1,000 in a nightly run. */
export const KILL_ROUNDS = Number(process.env['QWEN_TEST_KILL_ROUNDS'] ?? 20);
