import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { filled, upTo } from '../../test/log-readers.js';
import { AgeSweep, sweepIntervalMs } from './age-sweep.js';
import { openEventLog } from './open-event-log.js';

test.each(['memory:', 'a file'])(
  'in %s expired events are removed without any request to their sessions',
  async (place) => {
    verifies('F120');
    await using folder = await temporaryFolder();
    const log = await openEventLog(place === 'memory:' ? place : folder.resolve('events.sqlite'), {
      retention: { maxAgeMs: 100 },
    });
    for (const session of upTo(3)) await filled(log, `s${session}`, 5);
    const firsts = () => Promise.all(upTo(3).map(async (session) => (await log.read(`s${session}`)).firstSeq));
    await expect.poll(firsts, { timeout: 10_000 }).toEqual([6, 6, 6]);
    // The gap is reported, not skipped.
    using late = await log.attach('s1', { afterSeq: 2 });
    expect((await late.take())[0]).toEqual({ kind: 'gap', fromSeq: 3, toSeq: 5 });
    await log.close();
  },
);

test('rounds do not overlap, and closing waits for the running one', async () => {
  const round = Promise.withResolvers<void>();
  let rounds = 0;
  const started = Promise.withResolvers<void>();
  const sweep = new AgeSweep(1, async () => {
    rounds += 1;
    if (rounds === 2) throw new Error('a round has begun twice');
    started.resolve();
    await round.promise;
  });
  await started.promise;
  let isClosed = false;
  const closing = sweep.close().then(() => {
    isClosed = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect([isClosed, rounds]).toEqual([false, 1]);
  round.resolve();
  await closing;
});

test('the interval is short enough for short ages, and never too short', () => {
  const second = 1000;
  expect([100, 60 * second, 30 * 24 * 3600 * second].map(sweepIntervalMs)).toEqual([
    second,
    15 * second,
    3600 * second,
  ]);
});
