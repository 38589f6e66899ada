import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import type { SessionAppend } from '../log/event-store.js';
import type { NewEvent } from '../log/logged-event.js';
import { MemoryStore } from '../log/memory-store.js';
import { StoredEventLog } from '../log/stored-event-log.js';
import { TurnWriter } from './turn-writer.js';

const event = (data: string): NewEvent => ({ type: 'notice', data });
const nextTick = () => new Promise((resolve) => setImmediate(resolve));

/** A store whose steps end when the test says so. */
class SlowStore extends MemoryStore {
  readonly steps: { readonly data: readonly string[]; readonly end: (error?: AgentError) => void }[] = [];

  override async append(batch: readonly SessionAppend[]) {
    const ended = Promise.withResolvers<void>();
    const data = batch.flatMap(({ events }) => events.map((each) => each.data));
    this.steps.push({ data, end: (error) => (error === undefined ? ended.resolve() : ended.reject(error)) });
    await ended.promise;
    return super.append(batch);
  }
}

async function openSlowLog() {
  const store = new SlowStore();
  const log = new StoredEventLog(store);
  await log.create('s');
  return { log, steps: store.steps, stored: async () => (await log.read('s')).events.map(({ data }) => data) };
}

test('events that are added during a step are written together in the next one, in order', async () => {
  const { log, steps, stored } = await openSlowLog();
  const writer = new TurnWriter({ log, sessionId: 's' });
  await writer.add([event('1')]);
  await nextTick();
  for (const data of ['2', '3', '4']) await writer.add([event(data)]);
  steps[0]?.end();
  await nextTick();
  steps[1]?.end();
  await writer.flush();
  expect(steps.map(({ data }) => data)).toEqual([['1'], ['2', '3', '4']]);
  expect(await stored()).toEqual(['1', '2', '3', '4']);
});

test('a slow disk delays the writer', async () => {
  verifies('F122');
  const { log, steps } = await openSlowLog();
  const writer = new TurnWriter({ log, sessionId: 's', maxPendingBytes: 1000 });
  let isAdded = false;
  const added = writer.add([event('x'.repeat(2000))]).then(() => {
    isAdded = true;
  });
  await nextTick();
  expect(isAdded).toBe(false);
  steps[0]?.end();
  await added;
});

test('after a failure nothing else is written, and every call rejects', async () => {
  const { log, steps, stored } = await openSlowLog();
  const writer = new TurnWriter({ log, sessionId: 's' });
  await writer.add([event('1')]);
  await nextTick();
  await writer.add([event('2')]);
  const full = new AgentError('storage_full', 'No space is left.');
  steps[0]?.end(full);
  await expect(writer.flush()).rejects.toBe(full);
  await expect(writer.add([event('3')])).rejects.toBe(full);
  expect(steps).toHaveLength(1);
  expect(await stored()).toEqual([]);
  const other = log.append('s', [event('of another writer')]);
  await nextTick();
  steps[1]?.end();
  await other;
  expect(await stored()).toEqual(['of another writer']);
});
