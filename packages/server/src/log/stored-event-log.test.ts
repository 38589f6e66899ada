import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { HesitantStore } from '../../test/hesitant-store.js';
import {
  codesOf,
  filled,
  isEvent,
  isKind,
  noticesOf,
  numbered,
  seqsOf,
  takeUntil,
  upTo,
} from '../../test/log-readers.js';
import type { EventPage } from './event-store.js';
import { MemoryStore } from './memory-store.js';
import { StoredEventLog } from './stored-event-log.js';

test('events appended while the history is read arrive once', async () => {
  verifies('T15', 'GAP-96');
  const store = new HesitantStore();
  const log = new StoredEventLog(store);
  await filled(log, 'a', 3);
  store.holdPages();
  const attaching = log.attach('a');
  await log.append('a', numbered(4, 5));
  store.letGo();
  using subscription = await attaching;
  const items = await takeUntil(subscription, isKind('caught_up'));
  expect([seqsOf(items), noticesOf(items)]).toEqual([upTo(5), ['caught_up']]);
  await log.close();
});

test('also if the page is newer than the notification', async () => {
  verifies('T15');
  const store = new HesitantStore();
  const log = new StoredEventLog(store);
  await filled(log, 'a', 3);
  using early = await log.attach('a', { afterSeq: 3 });
  await takeUntil(early, isKind('caught_up'));
  const appending = log.append('a', numbered(4, 6));
  using late = await log.attach('a', { afterSeq: 3 });
  await appending;
  expect(seqsOf(await takeUntil(late, isEvent(6)))).toEqual([4, 5, 6]);
  expect(seqsOf(await takeUntil(early, isEvent(6)))).toEqual([4, 5, 6]);
  await log.close();
});

test('a reader notified only of the position reads the rest from the store', async () => {
  const store = new HesitantStore();
  const log = new StoredEventLog(store);
  await filled(log, 'a', 2);
  using subscription = await log.attach('a');
  await takeUntil(subscription, isKind('caught_up'));
  store.tellOnlySeqs();
  const reading = takeUntil(subscription, isEvent(40));
  await log.append('a', numbered(3, 30));
  await log.append('a', numbered(31, 40));
  expect(seqsOf(await reading)).toEqual(upTo(40, 3));
  await log.close();
});

test('concurrent appends share a step, up to its size', async () => {
  const steps: number[] = [];
  const store = new (class extends MemoryStore {
    override append(batch: Parameters<MemoryStore['append']>[0]) {
      steps.push(batch.flatMap(({ events }) => events).length);
      return super.append(batch);
    }
  })();
  const log = new StoredEventLog(store);
  await log.create('a');
  await Promise.all(upTo(50).map((n) => log.append('a', numbered(n, n))));
  expect(steps).toEqual([50]);
  const large = { type: 'x', data: JSON.stringify('x'.repeat(600_000)) };
  await Promise.all(upTo(4).map(() => log.append('a', [large])));
  expect(steps).toEqual([50, 1, 1, 1, 1]);
  await log.close();
});

test('appends beyond the limit are refused, and accepted again after a write', async () => {
  const log = new StoredEventLog(new MemoryStore(), { limits: { maxPendingBytes: 300 } });
  await log.create('a');
  const appends = upTo(6).map((n) => log.append('a', numbered(n, n)));
  expect(await codesOf(appends)).toEqual(['ok', 'ok', 'ok', 'ok', 'overloaded', 'overloaded']);
  expect(await log.append('a', numbered(5, 5))).toEqual([{ seq: 5, isRepeat: false }]);
  await log.close();
});

test('a store failure fails only the appends of that step', async () => {
  let isFull = true;
  const store = new (class extends MemoryStore {
    override async append(batch: Parameters<MemoryStore['append']>[0]) {
      if (isFull) throw new AgentError('storage_full', 'No space is left.');
      return super.append(batch);
    }
  })();
  const log = new StoredEventLog(store);
  await log.create('a');
  using subscription = await log.attach('a');
  expect(await codesOf([log.append('a', numbered(1, 1)), log.append('a', numbered(2, 2))])).toEqual([
    'storage_full',
    'storage_full',
  ]);
  isFull = false;
  await log.append('a', numbered(1, 1));
  expect(seqsOf(await takeUntil(subscription, isEvent(1)))).toEqual([1]);
  await log.close();
});

test('a reader whose store fails receives the error and ends', async () => {
  const store = new (class extends MemoryStore {
    reads = 0;
    override read(range: Parameters<MemoryStore['read']>[0]) {
      this.reads += 1;
      return this.reads > 1 ? Promise.reject(new AgentError('storage_damaged', 'Torn.')) : super.read(range);
    }
  })();
  const log = new StoredEventLog(store, { limits: { maxTakeBytes: 1 } });
  await filled(log, 'a', 3);
  const subscription = await log.attach('a');
  expect(seqsOf(await subscription.take())).toEqual([1]);
  await expect(subscription.take()).rejects.toMatchObject({ code: 'storage_damaged' });
  expect(await subscription.take()).toEqual([]);
  await log.close();
});

test('a history with a gap or a step back is reported as damaged', async () => {
  const store = new (class extends MemoryStore {
    change = (page: EventPage): EventPage => page;
    override async read(range: Parameters<MemoryStore['read']>[0]) {
      return this.change(await super.read(range));
    }
  })();
  const log = new StoredEventLog(store, { limits: { maxTakeBytes: 1 } });
  await filled(log, 'a', 5);
  const withoutThird = (page: EventPage) => ({ ...page, events: page.events.filter(({ seq }) => seq !== 3) });
  const endsAtTwo = (page: EventPage) => ({ ...withoutThird(page), lastSeq: 2 });
  for (const change of [withoutThird, endsAtTwo]) {
    const subscription = await log.attach('a');
    store.change = change;
    const reading = takeUntil(subscription, isKind('caught_up'));
    await expect(reading).rejects.toMatchObject({ code: 'storage_damaged' });
    store.change = (page) => page;
  }
  await log.close();
});
