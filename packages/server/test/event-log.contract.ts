import { verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import type { EventLogOptions } from '../src/log/event-log.js';
import type { EventStore } from '../src/log/event-store.js';
import type { LogItem } from '../src/log/log-item.js';
import { StoredEventLog } from '../src/log/stored-event-log.js';
import { codesOf, filled, isEvent, isKind, noticesOf, numbered, seqsOf, takeUntil, upTo } from './log-readers.js';

/** Where events are stored. Disposing it deletes them; close the stores first. */
export interface EventStorage extends AsyncDisposable {
  open(): Promise<EventStore>;
}

/** A log on a new place, closed with it. */
export async function openLog(place: EventStorage, options?: EventLogOptions) {
  const store = await place.open();
  const log = new StoredEventLog(store, options);
  return Object.assign(log, { store, [Symbol.asyncDispose]: () => log.close() });
}

/** What every event log does, whatever it keeps its events in. */
export function describeEventLog(name: string, openPlace: () => Promise<EventStorage>): void {
  describe(`${name}: appending`, () => {
    test('each session counts from 1 without gaps, even under concurrent writes', async () => {
      await using place = await openPlace();
      await using log = await openLog(place);
      await log.create('a');
      await log.create('b');
      const appends = upTo(40).map((n) => log.append(n % 2 === 0 ? 'a' : 'b', numbered(n, n + 1)));
      const receipts = (await Promise.all(appends)).map((each) => each.map(({ seq }) => seq));
      expect(receipts.filter((_, index) => index % 2 === 0).flat()).toEqual(upTo(40));
      expect(receipts.filter((_, index) => index % 2 === 1).flat()).toEqual(upTo(40));
      const { events, firstSeq, lastSeq } = await log.read('b');
      expect([events.map(({ seq }) => seq), firstSeq, lastSeq]).toEqual([upTo(40), 1, 40]);
      expect(events.slice(0, 4).map(({ data }) => data)).toEqual(['1', '2', '3', '4']);
      expect(events.every(({ atMs }) => Math.abs(atMs - Date.now()) < 60_000)).toBe(true);
    });

    test('returns what was appended: IDs, threads, every character', async () => {
      await using place = await openPlace();
      await using log = await openLog(place);
      await log.create('a');
      const event = {
        type: 'agent.message',
        data: JSON.stringify('☃ \u2028 \0 \ud83d\ude00 \r\n "x"'),
        eventId: 'evt_1',
        threadId: 't:1',
      };
      await log.append('a', [event, { type: 'b', data: '{}' }]);
      const { events } = await log.read('a');
      expect(events).toMatchObject([
        { ...event, seq: 1 },
        { type: 'b', data: '{}', seq: 2 },
      ]);
      expect(events[1]?.eventId).toBeUndefined();
      expect(events[1]?.threadId).toBeUndefined();
      expect(await log.seqOf('a', 'evt_1')).toBe(1);
      expect(await log.seqOf('a', 'evt_2')).toBeUndefined();
    });

    test('a repeated event is stored once', async () => {
      await using place = await openPlace();
      await using log = await openLog(place);
      await log.create('a');
      const [first, again] = await Promise.all([
        log.append('a', [{ type: 'x', data: '1', eventId: 'e' }]),
        log.append('a', [
          { type: 'x', data: '2', eventId: 'e' },
          { type: 'x', data: '3' },
        ]),
      ]);
      expect(first).toEqual([{ seq: 1, isRepeat: false }]);
      expect(again).toEqual([
        { seq: 1, isRepeat: true },
        { seq: 2, isRepeat: false },
      ]);
      expect((await log.read('a')).events.map(({ data }) => data)).toEqual(['1', '3']);
    });

    test('an invalid append does not affect others', async () => {
      await using place = await openPlace();
      await using log = await openLog(place);
      await log.create('a');
      await log.create('done');
      await log.finish('done');
      await log.finish('done');
      const codes = await codesOf([
        log.append('a', numbered(1, 1)),
        log.append('nobody', numbered(1, 1)),
        log.append('done', numbered(1, 1)),
        log.append('a', [{ type: 'x\ny', data: '1' }]),
        log.append('a', [{ type: 'x', data: '1\n2' }]),
        log.append('a', [{ type: 'x', data: '1', eventId: '\u0000' }]),
        log.append('a', numbered(2, 2)),
        log.append('a', []),
      ]);
      const bad = 'invalid_payload';
      expect(codes).toEqual(['ok', 'session_not_found', 'session_finished', bad, bad, bad, 'ok', 'ok']);
      expect((await log.read('a')).lastSeq).toBe(2);
    });

    test('sessions are created, listed in pages and removed', async () => {
      await using place = await openPlace();
      await using log = await openLog(place);
      for (const id of ['b', 'c', 'a', 'B']) await log.create(id);
      await expect(log.create('a')).rejects.toMatchObject({ code: 'session_exists' });
      expect(await log.list({ limit: 3 })).toEqual({ sessionIds: ['B', 'a', 'b'], hasMore: true });
      expect(await log.list({ afterId: 'b', limit: 3 })).toEqual({ sessionIds: ['c'], hasMore: false });
      await log.append('b', numbered(1, 3));
      await log.delete('b');
      expect((await log.list()).sessionIds).toEqual(['B', 'a', 'c']);
      const verbs = [
        log.read('b'),
        log.delete('b'),
        log.attach('b'),
        log.finish('b'),
        log.evict('b'),
        log.seqOf('b', 'x'),
      ];
      expect(await codesOf(verbs)).toEqual(verbs.map(() => 'session_not_found'));
      await log.create('b');
      expect(await log.append('b', numbered(1, 1))).toEqual([{ seq: 1, isRepeat: false }]);
      await expect(log.create('../x')).rejects.toMatchObject({ code: 'session_not_found' });
    });

    test('a closed log reports it', async () => {
      await using place = await openPlace();
      await using log = await openLog(place);
      await log.create('a');
      const last = log.append('a', numbered(1, 1));
      await Promise.all([log.close(), log.close()]);
      expect(await last).toHaveLength(1);
      const verbs = [log.create('b'), log.append('a', numbered(2, 2)), log.attach('a'), log.list()];
      expect(await codesOf(verbs)).toEqual(verbs.map(() => 'channel_closed'));
    });
  });

  describe(`${name}: reading`, () => {
    test('pages by seq, by number and by bytes', async () => {
      await using place = await openPlace();
      await using log = await openLog(place);
      await filled(log, 'a', 10);
      const seqs = async (options: Parameters<typeof log.read>[1]) =>
        (await log.read('a', options)).events.map(({ seq }) => seq);
      expect(await seqs({ afterSeq: 3 })).toEqual(upTo(10, 4));
      expect(await seqs({ afterSeq: 3, limit: 2 })).toEqual([4, 5]);
      expect(await seqs({ afterSeq: 3, beforeSeq: 6 })).toEqual([4, 5]);
      expect(await seqs({ afterSeq: 10 })).toEqual([]);
      await log.append(
        'a',
        upTo(3).map(() => ({ type: 'big', data: JSON.stringify('x'.repeat(700_000)) })),
      );
      expect(await seqs({ afterSeq: 10 })).toEqual([11]);
    });

    test('a reader that starts at any moment gets each event once, past and live', async () => {
      verifies('T14', 'T15', 'GAP-96');
      await using place = await openPlace();
      await using log = await openLog(place, { limits: { maxTakeBytes: 400 } });
      await log.create('a');
      const count = 60;
      const reads: Promise<LogItem[]>[] = [];
      for (let seq = 1; seq <= count; seq += 1) {
        const attaching = log.attach('a', { afterSeq: seq - 1 });
        const appending = log.append('a', numbered(seq, seq));
        reads.push(attaching.then((subscription) => takeUntil(subscription, isEvent(count))));
        await appending;
      }
      for (const [index, items] of (await Promise.all(reads)).entries()) {
        expect(seqsOf(items)).toEqual(upTo(count, index + 1));
        expect(noticesOf(items)).toEqual(['caught_up']);
      }
    });

    test('a reader that is cut at any event resumes after it', async () => {
      verifies('T15');
      await using place = await openPlace();
      await using log = await openLog(place);
      await filled(log, 'a', 50);
      for (let cut = 0; cut <= 50; cut += 1) {
        const subscription = await log.attach('a', { afterSeq: cut });
        const items = await takeUntil(subscription, isKind('caught_up'));
        expect([seqsOf(items), subscription.cursor]).toEqual([upTo(50, cut + 1), 50]);
        subscription.close();
        expect(await subscription.take()).toEqual([]);
      }
    });

    test('reads only the newest, or only one thread', async () => {
      await using place = await openPlace();
      await using log = await openLog(place);
      await filled(log, 'a', 5);
      using newest = await log.attach('a', { afterSeq: 'newest', threadId: 't' });
      expect(await newest.take()).toEqual([{ kind: 'caught_up', seq: 5 }]);
      await log.append('a', [
        { type: 'x', data: '6', threadId: 'u' },
        { type: 'x', data: '7', threadId: 't' },
        { type: 'x', data: '8' },
      ]);
      const items = await newest.take();
      expect([seqsOf(items), newest.cursor]).toEqual([[7], 8]);
    });

    test('an unknown cursor is refused', async () => {
      await using place = await openPlace();
      await using log = await openLog(place);
      await filled(log, 'a', 3);
      for (const afterSeq of [4, -1, 1.5, Number.NaN, Infinity, 2 ** 60]) {
        await expect(log.attach('a', { afterSeq })).rejects.toMatchObject({ code: 'invalid_cursor' });
      }
      using subscription = await log.attach('a', { afterSeq: 3 });
      expect(subscription.cursor).toBe(3);
    });

    test('a second read while one is pending is refused', async () => {
      await using place = await openPlace();
      await using log = await openLog(place);
      await filled(log, 'a', 1);
      const subscription = await log.attach('a', { afterSeq: 1 });
      await subscription.take();
      const waiting = subscription.take();
      await expect(subscription.take()).rejects.toMatchObject({ code: 'already_reading' });
      subscription.close();
      expect(await waiting).toEqual([]);
    });
  });

  describe(`${name}: ends`, () => {
    test('finished: after the last event, and again for later readers', async () => {
      await using place = await openPlace();
      await using log = await openLog(place);
      await filled(log, 'a', 2);
      using early = await log.attach('a');
      const reading = takeUntil(early, isKind('end'));
      const last = log.append('a', numbered(3, 3));
      await log.finish('a');
      await last;
      const items = await reading;
      expect([seqsOf(items), items.at(-1)]).toEqual([[1, 2, 3], { kind: 'end', reason: 'finished', seq: 3 }]);
      using late = await log.attach('a', { afterSeq: 1 });
      expect(late.isExhausted).toBe(false);
      expect(seqsOf(await takeUntil(late, isKind('end')))).toEqual([2, 3]);
      using exhausted = await log.attach('a', { afterSeq: 3 });
      expect(exhausted.isExhausted).toBe(true);
    });

    test('deleted: immediately, also for slow readers', async () => {
      await using place = await openPlace();
      await using log = await openLog(place);
      await filled(log, 'a', 2);
      using live = await log.attach('a', { afterSeq: 2 });
      await takeUntil(live, isKind('caught_up'));
      using behind = await log.attach('a');
      const reading = takeUntil(live, isKind('end'));
      await log.delete('a');
      expect((await reading).at(-1)).toEqual({ kind: 'end', reason: 'deleted', seq: 2 });
      expect((await takeUntil(behind, isKind('end'))).at(-1)).toMatchObject({ reason: 'deleted' });
      await log.create('a');
      using anew = await log.attach('a');
      await log.append('a', numbered(1, 1));
      expect(seqsOf(await takeUntil(anew, isEvent(1)))).toEqual([1]);
    });

    test('closing: notifies waiting and busy readers', async () => {
      await using place = await openPlace();
      await using log = await openLog(place);
      await filled(log, 'a', 1);
      const subscription = await log.attach('a');
      await takeUntil(subscription, isKind('caught_up'));
      const waiting = subscription.take();
      await log.close();
      expect(await waiting).toEqual([{ kind: 'end', reason: 'closing', seq: 1 }]);
      expect(subscription.ended.aborted).toBe(true);
      expect(await subscription.take()).toEqual([]);
    });
  });

  describe(`${name}: eviction`, () => {
    test('removes the oldest by number, bytes and age, and reports where the rest begins', async () => {
      await using place = await openPlace();
      await using log = await openLog(place);
      await filled(log, 'a', 20);
      const { store } = log;
      expect(await store.evict('a', {})).toBe(1);
      expect(await store.evict('a', { maxEvents: 12 })).toBe(9);
      expect(await store.evict('a', { maxBytes: 5 * 71 })).toBe(16);
      expect(await store.evict('a', { maxAgeMs: 3_600_000 })).toBe(16);
      const { events, firstSeq, lastSeq } = await log.read('a');
      expect([events.map(({ seq }) => seq), firstSeq, lastSeq]).toEqual([upTo(20, 16), 16, 20]);
      expect(await store.evict('a', { maxAgeMs: -1 })).toBe(21);
      expect(await log.append('a', numbered(21, 21))).toEqual([{ seq: 21, isRepeat: false }]);
      expect(await store.evict('a', { maxEvents: 1 })).toBe(21);
    });

    test('IDs of evicted events can be used again', async () => {
      await using place = await openPlace();
      await using log = await openLog(place, { retention: { maxEvents: 1 } });
      await log.create('a');
      await log.append('a', [{ type: 'x', data: '1', eventId: 'e' }]);
      await log.append('a', numbered(2, 2));
      expect(await log.seqOf('a', 'e')).toBeUndefined();
    });

    test('a reader that returns too late receives the missing range', async () => {
      await using place = await openPlace();
      await using log = await openLog(place, { retention: { maxEvents: 10 } });
      await filled(log, 'a', 30);
      using late = await log.attach('a', { afterSeq: 4 });
      const items = await takeUntil(late, isKind('caught_up'));
      expect(items[0]).toEqual({ kind: 'gap', fromSeq: 5, toSeq: 20 });
      expect(seqsOf(items)).toEqual(upTo(30, 21));
      using inTime = await log.attach('a', { afterSeq: 20 });
      expect(noticesOf(await takeUntil(inTime, isKind('caught_up')))).toEqual(['caught_up']);
    });

    test('so does a reader that is too slow', async () => {
      await using place = await openPlace();
      await using log = await openLog(place, { retention: { maxEvents: 10 }, limits: { maxTakeBytes: 1 } });
      await filled(log, 'a', 10);
      using reader = await log.attach('a');
      expect(seqsOf(await reader.take())).toEqual([1]);
      await log.append('a', numbered(11, 30));
      const items = await takeUntil(reader, isKind('caught_up'));
      expect(items.filter(isKind('gap'))).toEqual([{ kind: 'gap', fromSeq: 2, toSeq: 20 }]);
      expect(seqsOf(items)).toEqual(upTo(30, 21));
    });
  });
}
