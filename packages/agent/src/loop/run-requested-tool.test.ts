import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import {
  aborted,
  call,
  calling,
  createTestSession,
  ofType,
  outcomes,
  results,
  runAll,
  ScriptedPermissions,
  saying,
  tool,
} from '../../test/scripted-engine.js';
import { ScriptedHooks } from '../../test/scripted-hooks.js';
import { foldRecords } from '../conversation/model-history.js';

const look = tool('look', {
  aliases: ['Look'],
  execute: (input) => Promise.resolve({ content: JSON.stringify(input) }),
});
const change = tool('change', { kind: 'edit' });
const request = { uuid: 'turn-1', callId: 'c1', name: 'look', input: { a: 1 } } as const;

test('a client-initiated call is a separate turn that the model does not see', async () => {
  verifies('E-24');
  const { session, model, log } = createTestSession([saying('hello')], { tools: [look] });
  session.runTool({ ...request, name: 'Look', isClientInitiated: true });
  const events = await runAll(session, 'hi');
  expect(events.slice(0, 5)).toMatchObject([
    { type: 'turn_start', turnId: 'turn-1' },
    { type: 'tool_pending', callId: 'c1', name: 'look', input: { a: 1 }, kind: 'read' },
    { type: 'tool_start', callId: 'c1', name: 'look' },
    { type: 'tool_end', outcome: { callId: 'c1', content: '{"a":1}', status: 'success' } },
    { type: 'turn_end', turnId: 'turn-1', outcome: { type: 'success', text: '{"a":1}' }, modelCalls: 0 },
  ]);
  expect(model.requests).toHaveLength(1);
  expect(model.requests[0]?.messages).toHaveLength(1);
  expect(log.records[0]).toMatchObject({
    type: 'client_call',
    tool_use_id: 'c1',
    input: { a: 1 },
    content: '{"a":1}',
    is_error: false,
  });
  expect(foldRecords(log.records)).toEqual(session.messages);
});

test('the model reads a shared client-initiated call with the next prompt', async () => {
  const { session, model, log } = createTestSession([saying('hello')], { tools: [look] });
  session.runTool({ ...request, isClientInitiated: true, isShared: true });
  await runAll(session, 'hi');
  expect(log.records[0]).toMatchObject({ type: 'client_call', is_shared: true });
  expect(JSON.stringify(model.requests[0]?.messages)).toMatch(/<user_command>look .*hi/);
});

test('the model reads the result of any other requested call and continues', async () => {
  verifies('E-24');
  const answers = [saying('hello'), calling(call('c2', 'look')), saying('done')];
  const { session, model, log } = createTestSession(answers, { tools: [look] });
  session.submit({ uuid: 'turn-0', content: 'hi' });
  session.runTool({ ...request, isClientInitiated: false });
  const events = await runAll(session);
  expect(outcomes(events).at(-1)).toEqual({ type: 'success', text: 'done' });
  expect(model.requests[1]?.messages.slice(2)).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'The user calls the tool look directly.' }] },
    { role: 'assistant', content: [{ type: 'tool_call', id: 'c1', name: 'look', input: { a: 1 } }] },
    {
      role: 'tool',
      results: [{ callId: 'c1', name: 'look', content: [{ type: 'text', text: '{"a":1}' }], isError: false }],
    },
  ]);
  // Emitted like an answer whose deltas are the input.
  const said = ofType(events, 'message_end').find(({ content }) => content.some((block) => 'id' in block));
  const deltas = ofType(events, 'block_delta').filter(({ messageId }) => messageId === said?.messageId);
  expect(deltas.map(({ text }) => text).join('')).toBe('{"a":1}');
  expect(said?.content).toEqual([{ type: 'tool_use', id: 'c1', name: 'look', input: { a: 1 } }]);
  expect(session.ledger.models.get('scripted')?.calls).toBe(3);
  expect(foldRecords(log.records)).toEqual(session.messages);
});

test.each([true, false])('rules, mode, hooks and questions apply (client-initiated: %s)', async (isClientInitiated) => {
  verifies('E-24', 'S26');
  const run = async (options: Parameters<typeof createTestSession>[1]) => {
    const { session } = createTestSession([saying('ok')], { tools: [change], ...options });
    session.runTool({ ...request, name: 'change', isClientInitiated });
    return results(await runAll(session));
  };
  const no = (reason: string) => [`change: [Operation Cancelled] Reason: ${reason}`];
  const rules = { allow: [], ask: [], deny: ['change'] };
  expect(await run({ rules, permissionMode: 'yolo' })).toEqual(no('Permission denied: Rule change forbids it.'));
  expect(await run({ permissionMode: 'plan' })).toEqual(
    no('Plan mode permits read-only work. Present a plan instead.'),
  );
  expect(await run({})).toEqual(no('nobody is here'));
  const hooks = new ScriptedHooks({ PreToolUse: () => ({ permission: { behavior: 'deny', reason: 'no' } }) });
  expect(await run({ hooks, permissionMode: 'yolo' })).toEqual(no('A hook forbids it: no'));
  expect(await run({ permissions: new ScriptedPermissions(() => ({ behavior: 'allow' })) })).toEqual([
    'change: change ran',
  ]);
});

test.each([true, false])('the budget of tool calls applies (client-initiated: %s)', async (isClientInitiated) => {
  verifies('E-24');
  const { session, model } = createTestSession([saying('never')], { tools: [look], budget: { toolCalls: 0 } });
  session.runTool({ ...request, isClientInitiated });
  const events = await runAll(session);
  expect(results(events)).toEqual(['look: The budget of tool calls is used up: this call did not run.']);
  expect(outcomes(events)).toEqual([{ type: 'budget', limit: 'toolCalls' }]);
  expect(model.requests).toEqual([]);
});

test.each([true, false])('an interrupt stops it (client-initiated: %s)', async (isClientInitiated) => {
  verifies('GAP-46');
  const running = Promise.withResolvers<void>();
  const slow = tool('slow', {
    execute: async (_input, { signal }) => {
      running.resolve();
      await aborted(signal);
      return { content: 'half' };
    },
  });
  const { session, log } = createTestSession([saying('never')], { tools: [slow] });
  session.runTool({ ...request, name: 'slow', isClientInitiated });
  const reading = runAll(session);
  await running.promise;
  session.interrupt({ by: 'user', reason: 'stop' });
  const events = await reading;
  expect(ofType(events, 'tool_end')).toMatchObject([{ outcome: { content: 'half', status: 'canceled' } }]);
  expect(outcomes(events)).toEqual([{ type: 'interrupted', by: 'user', reason: 'stop' }]);
  expect(foldRecords(log.records)).toEqual(session.messages);
});

test.each([true, false])('an unknown tool fails with a result (client-initiated: %s)', async (isClientInitiated) => {
  const { session } = createTestSession([saying('ok')], { tools: [look] });
  session.runTool({ ...request, name: 'gone', isClientInitiated });
  const events = await runAll(session);
  expect(results(events)).toEqual(['gone: There is no tool named gone. The tools are: look.']);
  expect(outcomes(events)).toMatchObject([{ type: 'success' }]);
});

test('an ID in use is refused, and nothing runs', async () => {
  verifies('E-25');
  const { session } = createTestSession([calling(call('c1', 'look')), saying('ok')], { tools: [look] });
  session.submit({ uuid: 'turn-0', content: 'hi' });
  session.runTool({ ...request, isClientInitiated: true });
  session.runTool({ ...request, uuid: 'turn-2', callId: 'c2', isClientInitiated: true });
  session.runTool({ ...request, uuid: 'turn-3', callId: 'c2', isClientInitiated: false });
  const events = await runAll(session);
  const refused = { type: 'error', error: { code: 'duplicate_request' } };
  expect(outcomes(events)).toMatchObject([{ type: 'success' }, refused, { type: 'success' }, refused]);
  expect(ofType(events, 'tool_start').map(({ callId }) => callId)).toEqual(['c1', 'c2']);
});

test('an interrupted turn can still be continued after a client-initiated call', async () => {
  const half = [...saying('half').slice(0, 2), { type: 'finish', reason: 'content_filter', usage: NO_TOKENS }] as const;
  const { session } = createTestSession([half, saying('ok')], { tools: [look] });
  session.submit({ uuid: 'turn-0', content: 'hi' });
  session.runTool({ ...request, isClientInitiated: true });
  await runAll(session);
  expect(session.ledger.hasUnfinishedTurn).toBe(true);
});

const NO_TOKENS = { input_tokens: 0, output_tokens: 0 };
