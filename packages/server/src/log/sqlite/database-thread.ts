// `fsync` must not block the event loop (docs/decisions/0009).
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '@qwen/protocol';
import { EventDatabase, ThreadFailure } from './event-database.ts';
import { storageCodeOf } from './result-codes.ts';
import type { ThreadAnswer, ThreadCall, ThreadError } from './thread-messages.ts';

function toThreadError(thrown: unknown): ThreadError {
  const message = messageOf(thrown);
  if (thrown instanceof ThreadFailure) return { code: thrown.code, message };
  return { code: storageCodeOf(thrown) ?? 'internal', message: `SQLite: ${message}` };
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
    case 'backup':
      return database.backup(input);
    case 'close':
      return database.close();
  }
}

answer(() => {
  const { path } = workerData as { readonly path: string };
  const database = new EventDatabase(path);
  parentPort?.on('message', (message: ThreadCall) => {
    answer(() => call(database, message));
    // Without a listener the thread exits.
    if (message.verb === 'close') parentPort?.close();
  });
});
