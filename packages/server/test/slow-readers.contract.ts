import { once } from 'node:events';
import { verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { type EventStorage, openLog } from './event-log.contract.js';
import { codesOf, filled, isEvent, isKind, noticesOf, numbered, seqsOf, takeUntil, upTo } from './log-readers.js';

const AN_HOUR_MS = 3_600_000;

/** What every event log does with readers that do not keep up (F122, P8). */
export function describeSlowReaders(name: string, openPlace: () => Promise<EventStorage>): void {
  describe(`${name}: slow readers`, () => {
    test('a reader that stops is cut with a reason and loses nothing; no other is affected', async () => {
      verifies('F122');
      await using place = await openPlace();
      await using log = await openLog(place, { limits: { maxLagBytes: 1000, lagGraceMs: 0 } });
      await filled(log, 'a', 3);
      using slow = await log.attach('a');
      using quick = await log.attach('a');
      expect(seqsOf(await takeUntil(slow, isKind('caught_up')))).toEqual([1, 2, 3]);
      const quickItems = takeUntil(quick, isEvent(43));
      const cut = once(slow.ended, 'abort');
      for (let seq = 4; seq <= 43; seq += 1) await log.append('a', numbered(seq, seq));
      await cut;
      expect(seqsOf(await quickItems)).toEqual(upTo(43));
      expect(await slow.take()).toEqual([{ kind: 'end', reason: 'too_slow', seq: 3 }]);
      expect(await slow.take()).toEqual([]);
      using again = await log.attach('a', { afterSeq: slow.cursor });
      expect(seqsOf(await takeUntil(again, isKind('caught_up')))).toEqual(upTo(43, 4));
    });

    test('a slow reader is warned once, and again after it caught up', async () => {
      verifies('F122');
      await using place = await openPlace();
      const limits = { maxLagBytes: 1000, lagGraceMs: AN_HOUR_MS, maxTakeBytes: 100 };
      await using log = await openLog(place, { limits });
      await log.create('a');
      using reader = await log.attach('a');
      await takeUntil(reader, isKind('caught_up'));
      for (const [first, last] of [
        [1, 13],
        [14, 26],
      ] as const) {
        using other = await log.attach('a', { afterSeq: first - 1 });
        await log.append('a', numbered(first, last));
        // Once another reader has them, they are in what both share.
        await takeUntil(other, isEvent(last));
        const items = await takeUntil(reader, isEvent(last));
        expect(noticesOf(items)).toEqual(['lagging']);
        expect(items[0]).toMatchObject({ maxLagBytes: 1000 });
        expect(seqsOf(items)).toEqual(upTo(last, first));
      }
    });

    test('a burst cuts no reader, whatever its size', async () => {
      await using place = await openPlace();
      await using log = await openLog(place, {
        limits: { maxLagBytes: 500, lagGraceMs: AN_HOUR_MS, maxTakeBytes: 300 },
      });
      await log.create('a');
      using reader = await log.attach('a');
      await takeUntil(reader, isKind('caught_up'));
      const reading = takeUntil(reader, isEvent(500));
      await log.append('a', numbered(1, 500));
      expect(seqsOf(await reading)).toEqual(upTo(500));
    });

    test('a reader of a long history is not slow', async () => {
      await using place = await openPlace();
      await using log = await openLog(place, { limits: { maxLagBytes: 100, lagGraceMs: 0, maxTakeBytes: 200 } });
      await filled(log, 'a', 100);
      using reader = await log.attach('a');
      using follower = await log.attach('a', { afterSeq: 'newest' });
      await log.append('a', numbered(101, 101));
      await takeUntil(follower, isEvent(101));
      expect(seqsOf(await takeUntil(reader, isKind('caught_up')))).toEqual(upTo(101));
    });

    test('a session has a limited number of subscribers, and a free slot is reused', async () => {
      await using place = await openPlace();
      await using log = await openLog(place, { limits: { maxSubscribers: 2 } });
      await filled(log, 'a', 1);
      await filled(log, 'b', 1);
      const first = await log.attach('a');
      const attaching = [log.attach('a'), log.attach('a'), log.attach('b')];
      expect((await codesOf(attaching)).toSorted()).toEqual(['ok', 'ok', 'overloaded']);
      first.close();
      first.close();
      expect(await codesOf([log.attach('a')])).toEqual(['ok']);
    });

    test('readers that do not read delay no writer', async () => {
      verifies('F122');
      await using place = await openPlace();
      await using log = await openLog(place, { limits: { maxLagBytes: 1000 } });
      await log.create('a');
      const readers = await Promise.all(upTo(50).map(() => log.attach('a')));
      for (const reader of readers) await reader.take();
      expect((await log.append('a', numbered(1, 200))).at(-1)).toMatchObject({ seq: 200 });
      for (const reader of readers) expect(seqsOf(await takeUntil(reader, isEvent(200)))).toEqual(upTo(200));
      for (const reader of readers) reader.close();
    });
  });
}
