import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { AsyncQueue, type DecodedLine, LineDecoder } from '@qwen/protocol';
import type { LineWriter } from '../io/line-writer.js';
import { readRecording } from './read-recording.js';
import { RenamedIds } from './renamed-ids.js';

export interface ReplayOptions {
  readonly path: string;
  readonly input: Readable;
  readonly writer: LineWriter;
  /** `real`: with the recorded pauses. `instant`: without. */
  readonly timing: 'real' | 'instant';
  /** Ends pauses and waiting for input. */
  readonly signal?: AbortSignal;
}

/**
 * Replays the output of a recording and waits for a host line where one was recorded, until the input ends. Returns
 * the recorded exit code, or 1 if it is truncated. Rejects like {@link readRecording}.
 */
export async function replay({ path, input, writer, timing, signal }: ReplayOptions): Promise<number> {
  const lines = readHostLines(input, signal);
  const ids = new RenamedIds();
  let playedMs = 0;
  for await (const entry of readRecording(path)) {
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
