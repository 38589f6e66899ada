import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { AsyncQueue, type DecodedLine, LineDecoder } from '@qwen/protocol';
import type { LineWriter } from '../io/line-writer.js';
import { readTape } from './read-tape.js';
import { RenamedIds } from './renamed-ids.js';

export interface ReplayOptions {
  readonly path: string;
  readonly input: Readable;
  readonly writer: LineWriter;
  /** `real`: with the pauses of the recording. `instant`: as fast as it is read. */
  readonly timing: 'real' | 'instant';
  /** Ends the pauses and the waiting for input. */
  readonly signal?: AbortSignal;
}

/**
 * Plays the program's part of a tape (GAP-56): writes what it wrote, and waits where the host spoke until the host of
 * today has sent a line. When its input has ended it waits no more. Gives the recorded exit code, 1 where the recording
 * broke off. Rejects with the errors of {@link readTape}.
 */
export async function replay({ path, input, writer, timing, signal }: ReplayOptions): Promise<number> {
  const lines = readHostLines(input, signal);
  const ids = new RenamedIds();
  let playedMs = 0;
  for await (const entry of readTape(path)) {
    if (signal?.aborted) break;
    if (timing === 'real' && entry.t > playedMs) await pause(entry.t - playedMs, signal);
    playedMs = entry.t;
    if ('out' in entry) await writer.write(`${ids.apply(entry.out)}\n`);
    else if ('exit' in entry) return entry.exit;
    else {
      const live = await lines.next();
      if (live.done !== true) ids.learn(entry.in, live.value);
    }
  }
  return 1;
}

/** What the host of today sends, in order; ends with the input. */
function readHostLines(input: Readable, signal: AbortSignal | undefined): AsyncIterator<string> {
  const decoder = new LineDecoder();
  const queue = new AsyncQueue<string>();
  const take = (lines: readonly DecodedLine[]) => {
    for (const line of lines) queue.push(line.ok ? line.text : '');
  };
  input.on('data', (chunk: Uint8Array) => take(decoder.push(chunk)));
  const end = () => {
    take(decoder.end());
    queue.end();
  };
  for (const event of ['end', 'close', 'error']) input.once(event, end);
  signal?.addEventListener('abort', end, { once: true });
  return queue[Symbol.asyncIterator]();
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await wait(ms, undefined, { ...(signal && { signal }) }).catch(() => undefined);
}
