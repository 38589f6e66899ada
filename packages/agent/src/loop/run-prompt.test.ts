import type { ModelPart } from '@qwen/models';
import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import {
  call,
  calling,
  createTestSession,
  ofType,
  outcomes,
  results,
  runAll,
  START,
  saying,
  tool,
} from '../../test/scripted-engine.js';

test('model calls and tools alternate until the model stops, and the costs are summed', async () => {
  const { session, model } = createTestSession(
    [calling(call('c1', 'look')), calling(call('c2', 'look')), saying('done')],
    { tools: [tool('look')] },
  );
  const [end] = ofType(await runAll(session, 'go'), 'turn_end');
  expect(end).toMatchObject({
    outcome: { type: 'success', text: 'done' },
    modelCalls: 3,
    usage: { input_tokens: 20, output_tokens: 4, total_tokens: 24 },
  });
  expect(model.requests.map(({ messages }) => messages.length)).toEqual([1, 3, 5]);
});

test('each request begins with the bytes of the previous one', async () => {
  const { session, model } = createTestSession(
    [calling(call('c1', 'look', { b: 1, a: 2 })), saying('one'), saying('two')],
    {
      tools: [tool('look')],
    },
  );
  await runAll(session, 'one', 'two');
  const [first, second, third] = model.requests.map(({ messages, ...rest }) => ({
    head: JSON.stringify(rest),
    messages: messages.map((message) => JSON.stringify(message)),
  }));
  expect(second?.head).toBe(first?.head);
  expect(third?.head).toBe(first?.head);
  expect(second?.messages.slice(0, first?.messages.length)).toEqual(first?.messages);
  expect(third?.messages.slice(0, second?.messages.length)).toEqual(second?.messages);
});

test('an endless loop of calls ends at the limit, with its cost', async () => {
  verifies('F79');
  let ran = 0;
  const same = tool('same', { execute: () => Promise.resolve({ content: String((ran += 1)) }) });
  const { session, model } = createTestSession([calling(call('c', 'same'))], {
    tools: [same],
    maxTurns: 5,
  });
  const [end] = ofType(await runAll(session, 'go'), 'turn_end');
  expect(end).toMatchObject({ outcome: { type: 'max_turns', limit: 5 }, modelCalls: 5, usage: { input_tokens: 25 } });
  expect(model.requests).toHaveLength(5);
  expect(ran).toBe(5);
});

test('a loop without a configured limit ends at one thousand model calls', async () => {
  verifies('F79');
  let ran = 0;
  const same = tool('same', { execute: () => Promise.resolve({ content: String((ran += 1)) }) });
  const { session, model } = createTestSession([calling(call('c', 'same'))], { tools: [same] });
  expect(outcomes(await runAll(session, 'go'))).toEqual([{ type: 'max_turns', limit: 1000 }]);
  expect(model.requests).toHaveLength(1000);
});

const BROKEN = '{"path":"/a","content":"abc';

function truncated(reason: 'stop' | 'tool_calls' | 'length'): ModelPart[] {
  const error = new AgentError(
    'invalid_tool_input',
    'The arguments of write are not complete JSON, so it was not called.',
  );
  return [
    START,
    { type: 'tool_call_start', id: 'c', name: 'write' },
    { type: 'tool_call_delta', id: 'c', json: BROKEN },
    { type: 'tool_call_end', id: 'c', name: 'write', error },
    { type: 'finish', reason, usage: { input_tokens: 1, output_tokens: 1 } },
  ];
}

test.for(['stop', 'tool_calls', 'length'] as const)(
  'a truncated call never runs, and the model gets two more attempts (%s)',
  async (reason) => {
    verifies('F75');
    let ran = 0;
    const write = tool('write', { execute: () => Promise.resolve({ content: String((ran += 1)) }) });
    const again = createTestSession(
      [truncated(reason), truncated(reason), calling(call('x', 'write')), saying('done')],
      {
        tools: [write],
      },
    );
    const events = await runAll(again.session, 'go');
    expect(outcomes(events)).toEqual([{ type: 'success', text: 'done' }]);
    expect(ran).toBe(1);
    const [block] = ofType(events, 'block_end');
    expect(block?.block).toMatchObject({ type: 'tool_use', input: BROKEN });
    expect(ofType(events, 'tool_end')[0]?.outcome).toMatchObject({ isError: true });

    const never = createTestSession([truncated(reason)], { tools: [write] });
    expect(outcomes(await runAll(never.session, 'go'))).toMatchObject([
      { type: 'error', error: { code: 'bad_model_response' } },
    ]);
    expect(never.model.requests).toHaveLength(3);
    expect(ran).toBe(1);
  },
);

test('a truncated answer runs no call, not even a complete one', async () => {
  verifies('F75');
  const cut = [...calling(call('c1', 'write')).slice(0, -1), truncated('length').at(-1)].filter(
    (part) => part !== undefined,
  );
  const { session } = createTestSession([cut, saying('smaller')], { tools: [tool('write')] });
  const events = await runAll(session, 'go');
  expect(results(events)[0]).toContain('cut off at the token limit');
  expect(outcomes(events)).toEqual([{ type: 'success', text: 'smaller' }]);
});

test('a model that cannot be created ends the turn with that error, and is tried again', async () => {
  let tries = 0;
  const { session, model } = createTestSession([saying('ok')], {
    createModel: () => {
      tries += 1;
      return tries === 1 ? Promise.reject(new AgentError('missing_credentials', 'no key')) : Promise.resolve(model);
    },
  });
  expect(outcomes(await runAll(session, 'one', 'two', 'three'))).toMatchObject([
    { type: 'error', error: { code: 'missing_credentials' } },
    { type: 'success' },
    { type: 'success' },
  ]);
  expect(tries).toBe(2);
});
