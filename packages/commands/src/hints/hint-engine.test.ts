import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import type { HintAnswer, HintFiles, HintQuery } from './hint.js';
import { HintEngine } from './hint-engine.js';

const COMMANDS = {
  list: () => [{ name: 'clear', description: '', completes: true }],
  complete: () => Promise.reject(new AgentError('mcp_failed', 'the server is gone')),
};

/** A clock that the test advances. */
function createClock() {
  const timers = new Set<{ readonly atMs: number; readonly callback: () => void }>();
  let nowMs = 0;
  return {
    timers,
    startTimer(ms: number, callback: () => void) {
      const timer = { atMs: nowMs + ms, callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    /** Fires the timers that are due, then flushes promise callbacks. */
    async advance(ms: number) {
      nowMs += ms;
      for (const timer of timers) if (timer.atMs <= nowMs && timers.delete(timer)) timer.callback();
      for (let turns = 0; turns < 10; turns += 1) await Promise.resolve();
    },
  };
}

/** Searches that the test answers. */
function createFiles() {
  const searches: { readonly text: string; readonly isWanted: () => boolean; answer(paths: string[]): void }[] = [];
  const files: HintFiles & { isReady: boolean } = {
    isReady: true,
    search: ({ text, signal, onWait }) =>
      new Promise((resolve) => {
        if (!files.isReady) onWait();
        searches.push({ text, isWanted: () => !signal.aborted, answer: resolve });
      }),
  };
  return { files, searches };
}

function createEngine() {
  const clock = createClock();
  const { files, searches } = createFiles();
  const answers: HintAnswer[] = [];
  const onAnswer = (answer: HintAnswer) => void answers.push(answer);
  const engine = new HintEngine({ commands: COMMANDS, files, clock, onAnswer });
  return { engine, clock, files, searches, answers };
}

const slash = (text: string, promptId = 'p'): HintQuery => ({
  promptId,
  trigger: 'slash',
  text,
  cursor: text.length,
  cwd: '/w',
});
const at = (text: string, promptId = 'p'): HintQuery => ({ ...slash(text, promptId), trigger: 'at' });

test('an answer comes after 75 ms and echoes the query', async () => {
  verifies('GAP-31', 'G-07', 'CF-28');
  const { engine, clock, answers } = createEngine();
  const query = slash('/c', 'session-123########preview');
  engine.request(query);
  await clock.advance(74);
  expect(answers).toEqual([]);
  await clock.advance(1);
  expect(answers).toMatchObject([{ query, status: 'ok', suggestions: [{ label: 'clear' }], isPerfectMatch: false }]);
});

test('only the newest of several queries is answered, and typing does not postpone it', async () => {
  verifies('G-08', 'G-09', 'GAP-31');
  const { engine, clock, answers } = createEngine();
  engine.request(slash('/x', '1'));
  await clock.advance(50);
  engine.request(slash('/c', '2'));
  engine.request(slash('/cl', '3'));
  await clock.advance(25);
  expect(answers.map(({ query }) => query.promptId)).toEqual(['3']);
  engine.request(slash('/cle', '4'));
  await clock.advance(75);
  expect(answers.map(({ query }) => query.promptId)).toEqual(['3', '4']);
});

test('a newer query aborts the running search, which gets no answer', async () => {
  verifies('G-09', 'GAP-31');
  const { engine, clock, searches, answers } = createEngine();
  engine.request(at('@a'));
  await clock.advance(75);
  engine.request(at('@ab'));
  expect(searches[0]?.isWanted()).toBe(false);
  searches[0]?.answer(['a']);
  await clock.advance(75);
  searches[1]?.answer(['ab']);
  await clock.advance(0);
  expect(answers).toMatchObject([{ query: { text: '@ab' }, status: 'ok' }]);
});

test('the two triggers are independent', async () => {
  const { engine, clock, searches, answers } = createEngine();
  engine.request(at('@a'));
  engine.request(slash('/c'));
  await clock.advance(75);
  searches[0]?.answer(['a']);
  await clock.advance(0);
  expect(answers.map(({ query }) => query.trigger)).toEqual(['slash', 'at']);
});

test('loading is reported while files are gathered, then the answer', async () => {
  verifies('G-13', 'G-12');
  const { engine, clock, files, searches, answers } = createEngine();
  files.isReady = false;
  engine.request(at('@a'));
  await clock.advance(75);
  expect(answers.map(({ status }) => status)).toEqual(['loading']);
  searches[0]?.answer(['a']);
  await clock.advance(0);
  expect(answers.map(({ status }) => status)).toEqual(['loading', 'ok']);
});

test('an error is an answer with a message', async () => {
  verifies('G-14', 'G-12');
  const { engine, clock, answers } = createEngine();
  engine.request(slash('/clear x'));
  await clock.advance(75);
  expect(answers).toMatchObject([{ status: 'error', message: 'the server is gone' }]);
});

test('a cancelled query gets no answer, waiting or running', async () => {
  verifies('G-10', 'GAP-32');
  const { engine, clock, searches, answers } = createEngine();
  engine.request(slash('/c', 'one'));
  engine.cancel('one');
  expect(clock.timers.size).toBe(0);
  engine.request(at('@a', 'two'));
  await clock.advance(75);
  engine.cancel('two');
  expect(searches[0]?.isWanted()).toBe(false);
  searches[0]?.answer(['a']);
  await clock.advance(1000);
  expect(answers).toEqual([]);
});

test('a cancel affects only its prompt id and trigger', async () => {
  verifies('GAP-32');
  const { engine, clock, searches, answers } = createEngine();
  engine.request(slash('/c', 'one'));
  engine.request(at('@a', 'one'));
  engine.cancel('unknown');
  engine.cancel('one', 'slash');
  await clock.advance(75);
  searches[0]?.answer(['a']);
  await clock.advance(0);
  expect(answers.map(({ query }) => query.trigger)).toEqual(['at']);
});

test('a cancelled prompt id can be used again', async () => {
  const { engine, clock, answers } = createEngine();
  engine.request(slash('/x'));
  engine.cancel('p');
  engine.request(slash('/c'));
  await clock.advance(75);
  expect(answers).toMatchObject([{ query: { text: '/c' } }]);
});

test('close() aborts everything and leaves no timer', async () => {
  const { engine, clock, searches, answers } = createEngine();
  engine.request(at('@a'));
  await clock.advance(75);
  engine.request(slash('/c'));
  engine.close();
  engine.request(slash('/c'));
  expect([clock.timers.size, searches[0]?.isWanted()]).toEqual([0, false]);
  searches[0]?.answer(['a']);
  await clock.advance(1000);
  expect(answers).toEqual([]);
});
