import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { newSession, prompts } from '../../test/records.js';
import {
  call,
  calling,
  createTestSession,
  ofType,
  outcomes,
  runAll,
  saying,
  tool,
} from '../../test/scripted-engine.js';
import { foldRecords } from '../conversation/model-history.js';
import { createFileStore } from '../storage/file-store.js';

const DAY_MS = 24 * 60 * 60_000;
const TICK_MS = 10;

/** The wall clock goes back a day with each read; the monotonic clock does not. */
function createJumpingClock() {
  let elapsedMs = 0;
  let timeOfDayMs = Date.parse('2030-01-31T00:00:00.000Z');
  return {
    nowMs: () => elapsedMs,
    isoTime: () => {
      timeOfDayMs -= DAY_MS;
      return new Date(timeOfDayMs).toISOString();
    },
    tick: () => {
      elapsedMs += TICK_MS;
    },
  };
}

test('a session keeps its order and durations if the clock jumps back', async () => {
  verifies('F55');
  await using folder = await temporaryFolder();
  const store = createFileStore({ directory: folder.path });
  const { sessionId, log } = await store.create(newSession());
  const clock = createJumpingClock();
  const look = tool('look', {
    execute: () => {
      clock.tick();
      return Promise.resolve({ content: 'seen' });
    },
  });
  const { session, model } = createTestSession([calling(call('a', 'look')), saying('one'), saying('two')], {
    log,
    clock,
    tools: [look],
    permissionMode: 'yolo',
    budget: { wallMs: DAY_MS },
  });
  const events = await runAll(session, 'first', 'second');
  await session.close();
  expect(ofType(events, 'turn_end')).toMatchObject([
    { durationMs: TICK_MS, budgetRemaining: { wallMs: DAY_MS - TICK_MS } },
    { durationMs: 0, budgetRemaining: { wallMs: DAY_MS } },
  ]);

  const { records, log: again } = await store.open(sessionId);
  await again.close();
  const times = records.flatMap((record) => ('at' in record ? [record.at] : []));
  expect(times).toEqual(times.toSorted().toReversed());
  expect(prompts(records)).toEqual(['first', 'second']);
  // The next process sends the model the same history, with its last answer.
  expect(foldRecords(records).slice(0, -1)).toEqual(model.requests.at(-1)?.messages);
});

test('a time limit measures elapsed time, not the time of day', async () => {
  verifies('F55');
  const clock = createJumpingClock();
  const look = tool('look', {
    execute: () => {
      for (let ticks = 0; ticks < 100; ticks += 1) clock.tick();
      return Promise.resolve({ content: 'seen' });
    },
  });
  const { session, model } = createTestSession([calling(call('a', 'look')), saying('too late')], {
    clock,
    tools: [look],
    permissionMode: 'yolo',
    budget: { wallMs: 100 * TICK_MS },
  });
  expect(outcomes(await runAll(session, 'go'))).toEqual([{ type: 'budget', limit: 'wallMs' }]);
  expect(model.requests).toHaveLength(1);
});
