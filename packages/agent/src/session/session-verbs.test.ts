import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import {
  call,
  calling,
  createTestSession,
  hanging,
  ofType,
  outcomes,
  readUntil,
  runAll,
  START,
  saying,
  text,
  tool,
} from '../../test/scripted-engine.js';
import { foldRecords } from '../conversation/model-history.js';
import { SessionLedger } from './session-ledger.js';

const failing = [{ type: 'failure', error: new AgentError('provider_error', 'down') } as const];

test('a failed turn continues without a new message', async () => {
  const { session, model, log } = createTestSession([calling(call('a', 'look')), failing, saying('done')], {
    tools: [tool('look')],
  });
  session.submit({ uuid: 'one', content: 'go' });
  const events = session.events();
  await readUntil(events, 'turn_end');
  expect(session.continueLastTurn('one-more')).toEqual({});
  session.endInput();
  const rest = await readUntil(events, 'turn_end');
  expect(rest[0]).toEqual({ type: 'turn_start', turnId: 'one-more' });
  expect(outcomes(rest)).toEqual([{ type: 'success', text: 'done' }]);
  expect(model.requests[2]?.messages).toEqual(model.requests[1]?.messages);
  expect(log.records.filter(({ type }) => type === 'user')).toHaveLength(1);
});

test('a partial answer continues after a message that states so', async () => {
  const { session, model } = createTestSession([hanging(START, text('half')), saying(' and half')]);
  session.submit({ uuid: 'one', content: 'go' });
  const events = session.events();
  await readUntil(events, 'block_delta');
  session.interrupt({ by: 'user', reason: 'enough' });
  await readUntil(events, 'turn_end');
  session.continueLastTurn('two');
  expect(outcomes(await readUntil(events, 'turn_end'))).toEqual([{ type: 'success', text: ' and half' }]);
  expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
});

test('a turn cannot continue if none is unfinished or one is running', async () => {
  const { session } = createTestSession([saying('hi')]);
  expect(session.continueLastTurn('x')).toEqual({ refused: 'The last turn is complete.' });
  session.submit({ uuid: 'one', content: 'go' });
  expect(session.continueLastTurn('x')).toEqual({ refused: 'A turn is in progress.' });
  const events = session.events();
  await readUntil(events, 'turn_start');
  expect(session.continueLastTurn('x')).toEqual({ refused: 'A turn is in progress.' });
  await readUntil(events, 'turn_end');
  expect(session.continueLastTurn('x')).toEqual({ refused: 'The last turn is complete.' });
  session.endInput();
  expect(() => session.continueLastTurn('x')).not.toThrow();
});

test('a resumed session knows that its last turn was interrupted', async () => {
  const first = createTestSession([failing]);
  await runAll(first.session, 'go');
  const { records } = first.log;
  const { session } = createTestSession([saying('done')], {
    history: foldRecords(records),
    ledger: new SessionLedger(records),
  });
  expect(session.continueLastTurn('two')).toEqual({});
  session.endInput();
  const events = [];
  for await (const event of session.events()) events.push(event);
  expect(outcomes(events)).toEqual([{ type: 'success', text: 'done' }]);
});

test('a change of the mode is stored', async () => {
  verifies('M-59');
  const { session, log } = createTestSession([saying('hi')]);
  session.setPermissionMode('plan');
  await runAll(session, 'go');
  expect(log.records[0]).toMatchObject({ type: 'permission_mode', mode: 'plan' });
});

test('a mode that cannot be stored applies anyway, with a notice', async () => {
  const log = {
    append: () => Promise.reject(new AgentError('storage_full', 'no space')),
    close: () => Promise.resolve(),
  };
  const { session } = createTestSession([saying('hi')], { log });
  session.setPermissionMode('plan');
  const [, notice] = await readUntil(session.events(), 'notice');
  expect(notice).toMatchObject({ code: 'mode_not_recorded', message: 'no space' });
  expect(session.permissionMode).toBe('plan');
});

test('effort applies from the next model call', async () => {
  const { session, model } = createTestSession([saying('a'), saying('b')], { effort: 'low' });
  session.submit({ uuid: '1', content: 'one' });
  const events = session.events();
  await readUntil(events, 'turn_end');
  session.setEffort('high');
  session.submit({ uuid: '2', content: 'two' });
  await readUntil(events, 'turn_end');
  expect(model.requests.map(({ effort }) => effort)).toEqual(['low', 'high']);
});

test('the context usage is estimated before an answer and counted by the provider after it', async () => {
  const prompt = { systemPrompt: 'x'.repeat(400), instructions: 'x'.repeat(100) };
  const { session } = createTestSession([saying('hi')], { tools: [tool('look')], ...prompt });
  expect(session.contextUsage()).toMatchObject({
    isEstimated: true,
    parts: [{ name: 'system prompt', tokens: 75 }, { name: 'memory files', tokens: 25 }, {}, {}],
  });
  await runAll(session, 'go');
  expect(session.contextUsage()).toMatchObject({ isEstimated: false, totalTokens: 12, windowTokens: undefined });
  await session.setModel('qwen-max');
  expect(session.contextUsage().windowTokens).toBe(32_768);
});

test('an image counts as an image, not as its encoded text', () => {
  const image = {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'x'.repeat(400_000) },
  } as const;
  const history = foldRecords([{ type: 'user', uuid: 'u', at: '', content: [image] }]);
  expect(createTestSession([saying('hi')], { history }).session.contextUsage().totalTokens).toBeLessThan(2_000);
});

test('the ledger contains each model, the turns, and earlier runs', async () => {
  const { session, log } = createTestSession([saying('hi')], { contextWindow: 9_000 });
  const ends = ofType(await runAll(session, 'one', 'two'), 'turn_end');
  expect(ends.map(({ modelUsage }) => modelUsage?.['scripted']?.context_window)).toEqual([9_000, 9_000]);
  const ledger = new SessionLedger(log.records);
  expect([...ledger.models]).toEqual([
    ['scripted', { calls: 2, inputTokens: 20, outputTokens: 4, cachedTokens: 0, reasoningTokens: 0 }],
  ]);
  expect(ledger).toMatchObject({ turns: 2, tokens: 24, hasUnfinishedTurn: false });
  expect([...session.ledger.models]).toEqual([...ledger.models]);
});

test('an end in the background reaches the model before its next call, or with the next prompt, and only once', async () => {
  const waiting: string[][] = [[], ['a ended'], ['b ended']];
  let isClosed = false;
  const background = {
    subscribe: () => undefined,
    list: () => [],
    output: () => '',
    stop: () => Promise.reject(new Error('unused')),
    moveToBackground: () => 0,
    takeNotes: () => waiting.shift() ?? [],
    close: async () => {
      isClosed = true;
    },
  };
  const { session, model, log } = createTestSession([calling(call('a', 'look')), saying('done'), saying('more')], {
    tools: [tool('look')],
    background,
  });
  session.submit({ uuid: 'one', content: 'go' });
  session.submit({ uuid: 'two', content: 'on' });
  await runAll(session);
  expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({
    content: [{ type: 'text', text: '<system-note>\na ended\n</system-note>' }],
  });
  expect(model.requests[2]?.messages.at(-1)).toMatchObject({
    content: [
      { type: 'text', text: '<system-note>\nb ended\n</system-note>' },
      { type: 'text', text: 'on' },
    ],
  });
  expect(foldRecords(log.records).map(({ role }) => role)).toEqual(session.messages.map(({ role }) => role));
  await session.close();
  expect(isClosed).toBe(true);
});
