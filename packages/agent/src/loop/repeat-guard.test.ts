import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
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

const look = tool('look', { execute: () => Promise.resolve({ content: [{ type: 'text', text: 'nothing' }] }) });
const same = calling(call('c', 'look', { at: 1 }));
const other = calling(call('c', 'look', { at: 2 }));

/** What the model received besides results. */
const told = (messages: readonly { readonly role: string }[] = []) =>
  messages.filter(({ role }) => role === 'user').length;

test('reports five equal calls in a row once and ends the turn at the eighth', async () => {
  verifies('F79', 'GAP-103');
  const { session, model } = createTestSession([same], { tools: [look] });
  const events = await runAll(session, 'go');
  const calls = 'look was called 5 times in a row with the same input and the same result.';
  expect(ofType(events, 'notice')).toEqual([
    { type: 'notice', code: 'loop_detected', message: expect.stringContaining(calls), parentToolUseId: null },
  ]);
  expect(model.requests).toHaveLength(8);
  expect([4, 5, 7].map((index) => told(model.requests[index]?.messages))).toEqual([1, 2, 2]);
  expect(outcomes(events)).toMatchObject([{ type: 'error', error: { code: 'loop_detected' } }]);
  expect(session.messages.at(-1)?.role).toBe('tool');
});

test('calls repeated within one answer do not count; answers that repeat several calls do', async () => {
  verifies('GAP-103');
  const many = calling(...Array.from({ length: 40 }, (_, index) => call(`c${index}`, 'look')));
  const pair = calling(call('c', 'look', { at: 1 }), call('d', 'look', { at: 2 }));
  const { session } = createTestSession([many, saying('ok'), pair], { tools: [look] });
  const events = await runAll(session, 'a', 'b');
  expect(ofType(events, 'notice').map(({ code }) => code)).toEqual(['loop_detected']);
  expect(outcomes(events)).toMatchObject([{ text: 'ok' }, { error: { code: 'loop_detected' } }]);
});

test('other input, another result or another prompt restarts the count', async () => {
  let ran = 0;
  const changing = tool('changing', { execute: () => Promise.resolve({ content: String((ran += 1)) }) });
  const four = [same, same, same, same];
  const changes = Array.from({ length: 9 }, () => calling(call('c', 'changing')));
  const { session } = createTestSession(
    [...four, other, ...four, saying('one'), ...four, saying('two'), ...changes, saying('three')],
    { tools: [look, changing] },
  );
  const events = await runAll(session, 'a', 'b', 'c');
  expect(ofType(events, 'notice')).toEqual([]);
  expect(outcomes(events)).toMatchObject([{ text: 'one' }, { text: 'two' }, { text: 'three' }]);
});

test('reports two alternating calls after four rounds and ends the turn at the sixth', async () => {
  const answers = Array.from({ length: 20 }, () => [same, other]).flat();
  const { session, model } = createTestSession(answers, { tools: [look] });
  const events = await runAll(session, 'go');
  expect(ofType(events, 'notice').map(({ message }) => message)).toEqual([
    expect.stringContaining('The last 2 rounds of calls (look; look) ran 4 times with the same results.'),
  ]);
  expect(model.requests).toHaveLength(12);
  expect(outcomes(events)).toMatchObject([{ type: 'error', error: { code: 'loop_detected' } }]);
});

test('calls that differ in whitespace, descriptions and timeouts, and results in times, are the same', async () => {
  let ran = 0;
  const timed = tool('timed', {
    execute: () => Promise.resolve({ content: `1 failed in ${(ran += 1)}.5s at 10:00:0${ran}` }),
  });
  const answers = Array.from({ length: 8 }, (_, index) =>
    calling(
      call('c', 'timed', { command: `npm${' '.repeat(index + 1)}test`, description: `try ${index}`, timeout: index }),
    ),
  );
  const { session } = createTestSession(answers, { tools: [timed] });
  const events = await runAll(session, 'go');
  expect(ofType(events, 'notice')).toHaveLength(1);
  expect(outcomes(events)).toMatchObject([{ type: 'error', error: { code: 'loop_detected' } }]);
});

test('reports a tool after six failures', async () => {
  const edit = tool('edit', { execute: () => Promise.resolve({ content: 'not found', isError: true }) });
  const answers = Array.from({ length: 7 }, (_, at) => calling(call('c', 'edit', { at })));
  const { session } = createTestSession([...answers, saying('ok')], { tools: [edit] });
  const events = await runAll(session, 'go');
  expect(ofType(events, 'notice').map(({ message }) => message)).toEqual([
    expect.stringContaining('edit failed 6 times in a row.'),
  ]);
  expect(outcomes(events)).toMatchObject([{ text: 'ok' }]);
});

test('progress is not a loop', async () => {
  let failing = 30;
  const run = tool('run', { execute: () => Promise.resolve({ content: `${(failing -= 1)} failed` }) });
  const answers = Array.from({ length: 20 }, (_, at) => [
    calling(call('c', 'look', { at })),
    calling(call('c', 'run')),
  ]).flat();
  const { session } = createTestSession([...answers, saying('ok')], { tools: [look, run] });
  const events = await runAll(session, 'go');
  expect(ofType(events, 'notice')).toEqual([]);
  expect(outcomes(events)).toMatchObject([{ text: 'ok' }]);
});

test('a cycle of seven rounds ends the turn', async () => {
  const cycle = Array.from({ length: 7 }, (_, at) => calling(call('c', 'look', { at })));
  const { session, model } = createTestSession(Array.from({ length: 10 }, () => cycle).flat(), { tools: [look] });
  expect(outcomes(await runAll(session, 'go'))).toMatchObject([{ type: 'error', error: { code: 'loop_detected' } }]);
  expect(model.requests).toHaveLength(35);
});

test('rounds that differ only in numbers are reported once, whatever their order', async () => {
  let ran = 0;
  const clock = tool('clock', { execute: () => Promise.resolve({ content: `${(ran += 1)} ticks` }) });
  const answers = Array.from({ length: 150 }, (_, at) =>
    (at * at) % 3 === 0 ? calling(call('c', 'clock')) : calling(call('c', 'look', { try: `attempt ${at}` })),
  );
  const { session } = createTestSession([...answers, saying('ok')], { tools: [look, clock] });
  const events = await runAll(session, 'go');
  expect(ofType(events, 'notice').map(({ message }) => message)).toEqual([
    expect.stringContaining('The last 100 rounds of calls (clock) differ only in numbers.'),
  ]);
  expect(outcomes(events)).toMatchObject([{ text: 'ok' }]);
});

test('reading a long file in parts, and writing many files, is no loop', async () => {
  const read = tool('read', { execute: ({ at }) => Promise.resolve({ content: 'word '.repeat(Number(at) + 1) }) });
  const diff = { kind: 'diff', path: 'f', diff: '', stat: { aiAdded: 1, aiRemoved: 0, userAdded: 0, userRemoved: 0 } };
  const write = tool('write', { execute: () => Promise.resolve({ content: 'written', display: diff as never }) });
  const answers = Array.from({ length: 150 }, (_, at) => calling(call('c', at < 75 ? 'read' : 'write', { at })));
  const { session } = createTestSession([...answers, saying('ok')], { tools: [read, write] });
  const events = await runAll(session, 'go');
  expect(ofType(events, 'notice')).toEqual([]);
  expect(outcomes(events)).toMatchObject([{ text: 'ok' }]);
});
