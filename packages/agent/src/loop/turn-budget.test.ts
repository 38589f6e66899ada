import { NO_USAGE, type Usage } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import {
  call,
  calling,
  createTestSession,
  FINISH,
  hanging,
  ofType,
  outcomes,
  results,
  runAll,
  START,
  saying,
  text,
  tool,
} from '../../test/scripted-engine.js';
import { SessionLedger } from '../session/session-ledger.js';

const lookForever = [calling(call('c', 'look'))];
const tools = [tool('look')];

test('model calls end with the budget of the prompt, and the next prompt has a new one', async () => {
  verifies('F79', 'GAP-59');
  const { session, model } = createTestSession(lookForever, { tools, budget: { turns: 2 } });
  const events = await runAll(session, 'go', 'again');
  expect(outcomes(events)).toEqual([
    { type: 'budget', limit: 'turns' },
    { type: 'budget', limit: 'turns' },
  ]);
  expect(model.requests).toHaveLength(4);
  expect(ofType(events, 'budget').map(({ remaining }) => remaining)).toEqual([
    { turns: 2 },
    { turns: 1 },
    { turns: 2 },
    { turns: 1 },
  ]);
  expect(ofType(events, 'turn_end').map(({ budgetRemaining }) => budgetRemaining)).toEqual([
    { turns: 0 },
    { turns: 0 },
  ]);
});

test('tool calls beyond the budget do not run, are answered, and end the turn', async () => {
  verifies('F79');
  const answers = [calling(call('a', 'look'), call('b', 'look'), call('c', 'look'))];
  const { session, model } = createTestSession(answers, { tools, budget: { toolCalls: 2 } });
  const events = await runAll(session, 'go');
  expect(results(events)).toEqual([
    'look: look ran',
    'look: look ran',
    'look: The budget of tool calls is used up: this call did not run.',
  ]);
  expect(outcomes(events)).toEqual([{ type: 'budget', limit: 'toolCalls' }]);
  expect(model.requests).toHaveLength(1);
});

test('a model that needs exactly its budget succeeds', async () => {
  const answers = [calling(call('a', 'look')), saying('done')];
  const budget = { toolCalls: 1, turns: 2, tokens: 1_000 };
  const { session } = createTestSession(answers, { tools, budget });
  const events = await runAll(session, 'go');
  expect(outcomes(events)).toEqual([{ type: 'success', text: 'done' }]);
  expect(ofType(events, 'turn_end')).toMatchObject([{ budgetRemaining: { toolCalls: 0, turns: 0, tokens: 982 } }]);
});

test('tokens are counted after each answer', async () => {
  const { session, model } = createTestSession(lookForever, { tools, budget: { tokens: 12 } });
  expect(outcomes(await runAll(session, 'go'))).toEqual([{ type: 'budget', limit: 'tokens' }]);
  expect(model.requests).toHaveLength(2);
});

test('tokens of answers without usage are estimated', async () => {
  const uncounted = { ...FINISH, reason: 'tool_calls', usage: NO_USAGE } as const;
  const answers = [[START, text('word '.repeat(100)), ...call('c', 'look'), uncounted]];
  const { session, model } = createTestSession(answers, { tools, budget: { tokens: 300 } });
  expect(outcomes(await runAll(session, 'go'))).toEqual([{ type: 'budget', limit: 'tokens' }]);
  expect(model.requests.length).toBeLessThan(4);

  const prices = { isKnown: () => true, costOf: (_model: string, { output_tokens }: Usage) => output_tokens / 100 };
  const priced = createTestSession(answers, { tools, budget: { usd: 2 }, prices });
  const events = await runAll(priced.session, 'go');
  expect(outcomes(events)).toEqual([{ type: 'budget', limit: 'usd' }]);
  expect(priced.model.requests).toHaveLength(2);
  expect(ofType(events, 'turn_end')[0]?.usage).not.toHaveProperty('cost_usd');
});

test('a model that a router chose gives the price', async () => {
  const answer = [{ type: 'start', model: 'vendor/priced' }, text('hi'), FINISH] as const;
  const prices = { isKnown: () => true, costOf: (model: string) => (model === 'vendor/priced' ? 3 : undefined) };
  const { session } = createTestSession([answer], { model: 'router/auto', prices });
  const [end] = ofType(await runAll(session, 'go'), 'turn_end');
  expect(end?.usage.cost_usd).toBe(3);
});

test('the tokens of the session count across its prompts and runs', async () => {
  verifies('GAP-59');
  const usage = { input_tokens: 20, output_tokens: 0, total_tokens: 20 };
  const past = new SessionLedger([{ type: 'turn_end', at: '', outcome: 'success', usage }]);
  const { session, model } = createTestSession([saying('hi')], { sessionTokenLimit: 32, ledger: past });
  const events = await runAll(session, 'one', 'two');
  expect(outcomes(events)).toEqual([
    { type: 'success', text: 'hi' },
    { type: 'budget', limit: 'sessionTokens' },
  ]);
  expect(model.requests).toHaveLength(1);
  expect(ofType(events, 'budget')).toEqual([]);
});

test('the time limit stops a slow stream and keeps the text so far', async () => {
  verifies('F70');
  const { session } = createTestSession([hanging(START, text('half'))], { budget: { wallMs: 20 } });
  const events = await runAll(session, 'go');
  expect(outcomes(events)).toEqual([{ type: 'budget', limit: 'wallMs' }]);
  expect(ofType(events, 'message_end')).toMatchObject([{ stopReason: 'interrupted', content: [{ text: 'half' }] }]);
});

test('the time limit stops a running tool', async () => {
  const slow = tool('slow', {
    execute: (_input, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ content: 'stopped' }), { once: true });
      }),
  });
  const { session, model } = createTestSession([calling(call('a', 'slow'))], { tools: [slow], budget: { wallMs: 20 } });
  const events = await runAll(session, 'go');
  expect(outcomes(events)).toEqual([{ type: 'budget', limit: 'wallMs' }]);
  expect(results(events)).toEqual(['slow: stopped']);
  expect(model.requests).toHaveLength(1);
});

test('a time longer than any timer is no limit', async () => {
  const { session } = createTestSession([[START, text('hi'), FINISH]], { budget: { wallMs: 1e13 } });
  expect(outcomes(await runAll(session, 'go'))).toEqual([{ type: 'success', text: 'hi' }]);
});

test('without a budget no message mentions one', async () => {
  const { session } = createTestSession([saying('hi')]);
  const events = await runAll(session, 'go');
  expect(ofType(events, 'budget')).toEqual([]);
  expect(ofType(events, 'turn_end')[0]).not.toHaveProperty('budgetRemaining');
});
