import { AgentError, createDeferred } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import type { NewEvent } from '../log/logged-event.js';
import { TurnJournal } from './turn-journal.js';

const event = (data: string): NewEvent => ({ type: 'notice', data });

/** A log whose steps take as long as the test likes. */
function slowLog() {
  const steps: { readonly data: readonly string[]; readonly done: () => void; readonly fail: (e: unknown) => void }[] =
    [];
  return {
    steps,
    append: (_: string, events: readonly NewEvent[]) => {
      const step = createDeferred<[]>();
      steps.push({ data: events.map(({ data }) => data), done: () => step.resolve([]), fail: step.reject });
      return step.promise;
    },
  };
}

const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve));

test('what comes while one step is on its way gathers for the next one, in order', async () => {
  const log = slowLog();
  const journal = new TurnJournal({ log, sessionId: 's' });
  await journal.add([event('1')]);
  await turnOfTheLoop();
  for (const data of ['2', '3', '4']) await journal.add([event(data)]);
  log.steps[0]?.done();
  await turnOfTheLoop();
  log.steps[1]?.done();
  await journal.flush();
  expect(log.steps.map(({ data }) => data)).toEqual([['1'], ['2', '3', '4']]);
});

test('a slow disk slows whoever writes', async () => {
  verifies('F122');
  const log = slowLog();
  const journal = new TurnJournal({ log, sessionId: 's', maxWaitingBytes: 1000 });
  let isTaken = false;
  const added = journal.add([event('x'.repeat(2000))]).then(() => {
    isTaken = true;
  });
  await turnOfTheLoop();
  expect(isTaken).toBe(false);
  log.steps[0]?.done();
  await added;
});

test('after a failure nothing more is written, and everybody is told', async () => {
  const log = slowLog();
  const journal = new TurnJournal({ log, sessionId: 's' });
  await journal.add([event('1')]);
  await turnOfTheLoop();
  await journal.add([event('2')]);
  const full = new AgentError('storage_full', 'No space is left.');
  log.steps[0]?.fail(full);
  await expect(journal.flush()).rejects.toBe(full);
  await expect(journal.add([event('3')])).rejects.toBe(full);
  expect(log.steps).toHaveLength(1);
});
