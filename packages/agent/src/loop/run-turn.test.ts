import type { AgentEvent, AssistantBlock } from '@qwen/agent';
import type { ModelPart } from '@qwen/models';
import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import {
  call,
  calling,
  createTestSession,
  FINISH,
  ofType,
  outcomes,
  results,
  runAll,
  START,
  saying,
  text,
  tool,
} from '../../test/scripted-engine.js';

/** Each block as joined from its deltas, and the block itself. */
function blocksByDeltas(events: readonly AgentEvent[]): { told: string; block: AssistantBlock }[] {
  return ofType(events, 'block_end').map(({ index, block, messageId }) => {
    const deltas = ofType(events, 'block_delta').filter(
      (delta) => delta.messageId === messageId && delta.index === index,
    );
    return { told: deltas.map((delta) => (delta.kind === 'signature' ? '' : delta.text)).join(''), block };
  });
}

const failing = (...parts: readonly ModelPart[]): ModelPart[] => [
  START,
  ...parts,
  { type: 'failure', error: new AgentError('stream_interrupted', 'cut') },
];

test('emits a message from start to end; its deltas add up to its blocks', async () => {
  const thinking: ModelPart[] = [
    { type: 'thinking_delta', text: 'hm' },
    { type: 'thinking_delta', text: 'm' },
    { type: 'thinking_signature', signature: 'proof' },
  ];
  const input = { path: 'a', text: 'snow ☃ "quoted"' };
  const answer = [START, ...thinking, text('Hel'), text('lo'), ...call('c1', 'look', input), FINISH];
  const { session } = createTestSession([answer, saying('done')], { tools: [tool('look')] });
  const events = await runAll(session, 'go');

  expect(events.map((event) => ('index' in event ? `${event.type} ${event.index}` : event.type)).slice(0, 14)).toEqual([
    'turn_start',
    'message_start',
    'block_start 0',
    'block_delta 0',
    'block_delta 0',
    'block_delta 0',
    'block_end 0',
    'block_start 1',
    'block_delta 1',
    'block_delta 1',
    'block_end 1',
    'block_start 2',
    'block_delta 2',
    'block_delta 2',
  ]);
  const [thought, said, called] = blocksByDeltas(events);
  expect(thought).toEqual({ told: 'hmm', block: { type: 'thinking', thinking: 'hmm', signature: 'proof' } });
  expect(said).toEqual({ told: 'Hello', block: { type: 'text', text: 'Hello' } });
  expect(JSON.parse(called?.told ?? '')).toEqual(input);
  expect(called?.block).toEqual({ type: 'tool_use', id: 'c1', name: 'look', input });
  expect(ofType(events, 'message_end')[0]?.content).toEqual([thought?.block, said?.block, called?.block]);
  expect(ofType(events, 'message_end').map(({ stopReason }) => stopReason)).toEqual(['tool_use', 'end_turn']);
});

test('emits arguments that arrive complete as one delta', async () => {
  const whole: ModelPart = { type: 'tool_call_end', id: 'c1', name: 'look', input: { a: 1 }, signature: 'sig' };
  const { session, model } = createTestSession([[START, whole, FINISH], saying('done')], { tools: [tool('look')] });
  const [called] = blocksByDeltas(await runAll(session, 'go'));
  expect(called).toMatchObject({ told: '{"a":1}', block: { input: { a: 1 } } });
  expect(model.requests[1]?.messages[1]).toMatchObject({ content: [{ type: 'tool_call', signature: 'sig' }] });
});

test('a broken answer keeps its text and runs none of its calls', async () => {
  verifies('F68');
  let ran = 0;
  const write = tool('write', { execute: () => Promise.resolve({ content: String((ran += 1)) }) });
  const cut = failing(
    text('I will '),
    text('write'),
    ...call('c1', 'write', { a: 1 }),
    {
      type: 'tool_call_start',
      id: 'c2',
      name: 'write',
    },
    { type: 'tool_call_delta', id: 'c2', json: '{"path":"/a' },
  );
  const { session, model } = createTestSession([cut, saying('next')], { tools: [write] });
  const events = await runAll(session, 'one', 'two');

  expect(ran).toBe(0);
  expect(outcomes(events)).toMatchObject([
    { type: 'error', error: { code: 'stream_interrupted' } },
    { type: 'success' },
  ]);
  for (const { told, block } of blocksByDeltas(events).slice(0, 3)) {
    if (block.type === 'text') expect(block.text).toBe(told);
    if (block.type === 'tool_use') expect([JSON.stringify(block.input), block.input]).toContain(told);
  }
  expect(ofType(events, 'message_end')[0]).toMatchObject({
    stopReason: 'error',
    content: [{ text: 'I will write' }, {}, {}],
  });
  expect(results(events)).toHaveLength(2);
  expect(model.requests[1]?.messages).toMatchObject([
    { role: 'user' },
    { role: 'assistant', content: [{ text: 'I will write' }, { id: 'c1' }, { id: 'c2', input: {} }] },
    {
      role: 'tool',
      results: [
        { callId: 'c1', isError: true },
        { callId: 'c2', isError: true },
      ],
    },
    { role: 'user', content: [{ text: 'two' }] },
  ]);
});

test('a failure before the first text leaves no message', async () => {
  const failure: ModelPart = { type: 'failure', error: new AgentError('auth_failed', 'no') };
  const { session, log } = createTestSession([[failure], saying('next')]);
  const events = await runAll(session, 'one', 'two');
  expect(outcomes(events)).toMatchObject([{ type: 'error', error: { code: 'auth_failed' } }, { type: 'success' }]);
  expect(ofType(events, 'message_start')).toHaveLength(1);
  expect(log.records.map(({ type }) => type)).toEqual(['user', 'turn_end', 'user', 'assistant', 'turn_end']);
});

test('a stream that ends early or throws is a failure', async () => {
  verifies('F74', 'T7');
  const throwing = () => ({
    // oxlint-disable-next-line require-yield -- a stream that fails at its first step
    async *[Symbol.asyncIterator](): AsyncGenerator<ModelPart> {
      throw new Error('broken model');
    },
  });
  const { session } = createTestSession([[START, text('half')], throwing, saying('next')]);
  expect(outcomes(await runAll(session, 'one', 'two', 'three'))).toMatchObject([
    { type: 'error', error: { code: 'stream_interrupted' } },
    { type: 'error', error: { code: 'provider_error' } },
    { type: 'success', text: 'next' },
  ]);
});

test('calls without an ID or name, or with a used ID, get new ones and stay paired', async () => {
  verifies('F76');
  const end = (id: string, name: string): ModelPart => ({ type: 'tool_call_end', id, name, input: {} });
  const first = [START, end('', 'look'), end('same', 'look'), end('same', 'look'), end('x', ''), FINISH];
  const { session, model } = createTestSession([first, calling(call('same', 'look')), saying('done')], {
    tools: [tool('look')],
  });
  const events = await runAll(session, 'go');
  expect(outcomes(events)).toEqual([{ type: 'success', text: 'done' }]);
  const ids = ofType(events, 'tool_end').map(({ outcome }) => outcome.callId);
  expect(new Set(ids).size).toBe(5);
  expect(ids.every((id) => id !== '')).toBe(true);
  expect(results(events)[3]).toContain('There is no tool named unnamed_tool. The tools are: look.');
  expect(model.requests).toHaveLength(3);
});

test('emits an event for a retry', async () => {
  const error = new AgentError('rate_limited', 'slow down');
  const { session } = createTestSession([[{ type: 'retry', attempt: 1, delayMs: 2000, error }, ...saying('ok')]]);
  expect(ofType(await runAll(session, 'go'), 'retry')).toEqual([
    { type: 'retry', attempt: 1, delayMs: 2000, error, parentToolUseId: null },
  ]);
});

test('a withheld answer has its own error', async () => {
  verifies('F78');
  const usage = { input_tokens: 1, output_tokens: 0 };
  const filtered: ModelPart = { type: 'finish', reason: 'content_filter', usage };
  const { session } = createTestSession([[START, text('x'), filtered], saying('end')]);
  expect(outcomes(await runAll(session, 'one', 'two'))).toMatchObject([
    { type: 'error', error: { code: 'content_filtered' } },
    { type: 'success', text: 'end' },
  ]);
});

test('a broken answer that is retried leaves no trace in the history, and its calls do not run', async () => {
  verifies('F68');
  const error = new AgentError('stream_interrupted', 'cut');
  const retried: ModelPart[] = [
    START,
    text('I will wri'),
    ...call('c1', 'look', { a: 1 }),
    { type: 'retry', attempt: 1, delayMs: 1, error, discards: true },
    ...calling(call('c1', 'look', { a: 2 })),
  ];
  const { session, model, log } = createTestSession([retried, saying('done')], { tools: [tool('look')] });
  const events = await runAll(session, 'go');
  expect(outcomes(events)).toEqual([{ type: 'success', text: 'done' }]);
  expect(results(events)).toEqual(['look: look ran']);
  expect(ofType(events, 'tool_start').map(({ input }) => input)).toEqual([{ a: 2 }]);
  expect(log.records.filter(({ type }) => type === 'assistant')).toHaveLength(2);
  expect(model.requests[1]?.messages[1]).toMatchObject({ content: [{ type: 'tool_call', input: { a: 2 } }] });
  const [broken, whole] = ofType(events, 'message_end');
  expect(broken).toMatchObject({ stopReason: 'error', content: [{ type: 'text', text: 'I will wri' }] });
  expect(whole?.messageId).not.toBe(broken?.messageId);
  expect(events.findIndex(({ type }) => type === 'retry')).toBeGreaterThan(
    events.findIndex((event) => event.type === 'notice' && event.code === 'answer_discarded'),
  );
});
