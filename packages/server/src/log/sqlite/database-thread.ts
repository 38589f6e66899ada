// The thread of the SQLite store: `fsync` blocks, and here it blocks nobody else (docs/decisions/0007).
import { parentPort, workerData } from 'node:worker_threads';
import { EventDatabase, ThreadFailure } from './event-database.ts';
import type { ThreadAnswer, ThreadCall, ThreadError } from './thread-messages.ts';

/** Result codes of SQLite (the low byte of extended ones) and what they are to our callers. */
const CODE_BY_RESULT: ReadonlyMap<number, ThreadError['code']> = new Map([
  [5, 'storage_busy'],
  [6, 'storage_busy'],
  [8, 'storage_unwritable'],
  [10, 'storage_unwritable'],
  [11, 'storage_damaged'],
  [13, 'storage_full'],
  [14, 'storage_unwritable'],
  [26, 'storage_damaged'],
]);

function toThreadError(thrown: unknown): ThreadError {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (thrown instanceof ThreadFailure) return { code: thrown.code, message };
  const result = thrown instanceof Error && 'errcode' in thrown ? Number(thrown.errcode) & 0xff : 0;
  return { code: CODE_BY_RESULT.get(result) ?? 'internal', message: `SQLite: ${message}` };
}

function answer(work: () => unknown): void {
  let message: ThreadAnswer;
  try {
    message = { result: work() };
  } catch (error) {
    message = { error: toThreadError(error) };
  }
  parentPort?.postMessage(message);
}

function call(database: EventDatabase, { verb, input }: ThreadCall): unknown {
  switch (verb) {
    case 'create':
      return database.create(input);
    case 'append':
      return database.append(input);
    case 'read':
      return database.read(input);
    case 'seqOf':
      return database.seqOf(input);
    case 'evict':
      return database.evict(input);
    case 'finish':
      return database.finish(input);
    case 'delete':
      return database.delete(input);
    case 'list':
      return database.list(input);
    case 'close':
      return database.close();
  }
}

answer(() => {
  const { path } = workerData as { readonly path: string };
  const database = new EventDatabase(path);
  parentPort?.on('message', (message: ThreadCall) => {
    answer(() => call(database, message));
    // Without a listener the thread ends by itself.
    if (message.verb === 'close') parentPort?.close();
  });
});
