import type { AgentEvent } from '@qwen/agent';
import { AgentError, NO_USAGE } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { createSpanFixture } from '../../test/span-fixture.js';

const SECRET = 'sk-secret in a prompt';
const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const main = { parentToolUseId: null };

const turnStart = (turnId = 'turn-1'): AgentEvent => ({ type: 'turn_start', turnId });
const messageStart = (parentToolUseId: string | null = null): AgentEvent => ({
  type: 'message_start',
  messageId: 'message-1',
  model: 'qwen-max',
  parentToolUseId,
});
const messageEnd = (parentToolUseId: string | null = null): AgentEvent => ({
  type: 'message_end',
  messageId: 'message-1',
  model: 'qwen-max',
  content: [{ type: 'text', text: SECRET }],
  stopReason: 'tool_use',
  usage: { input_tokens: 10, output_tokens: 3, cache_read_input_tokens: 4 },
  parentToolUseId,
});
const pending = (callId: string, name: string, parentToolUseId: string | null = null): AgentEvent => ({
  type: 'tool_pending',
  callId,
  name,
  input: { command: SECRET },
  kind: 'execute',
  parentToolUseId,
});
const running = (callId: string): AgentEvent => ({ type: 'tool_start', callId, name: 'x', input: SECRET, ...main });
const toolEnd = (callId: string, more: object = {}): AgentEvent => ({
  type: 'tool_end',
  outcome: { callId, name: 'x', uuid: 'u', content: SECRET, isError: false, status: 'success', ...more },
  ...main,
});
const turnEnd = (more: object = {}): AgentEvent => ({
  type: 'turn_end',
  turnId: 'turn-1',
  outcome: { type: 'success', text: SECRET },
  durationMs: 1,
  durationApiMs: 1,
  modelCalls: 1,
  usage: { input_tokens: 10, output_tokens: 3 },
  permissionDenials: [],
  ...more,
});

function follow(events: readonly AgentEvent[], fixture = createSpanFixture()) {
  const session = fixture.telemetry.follow('session-1', 'qwen-max');
  for (const event of events) session.observe(event);
  session.end();
  return fixture;
}

test('a turn, its model calls and its tool calls are inside the session, named by the conventions', () => {
  verifies('GAP-55');
  const { spans, find, parentOf } = follow([
    turnStart(),
    messageStart(),
    messageEnd(),
    pending('call-1', 'run_shell_command'),
    running('call-1'),
    toolEnd('call-1'),
    turnEnd(),
  ]);
  expect(spans().map(({ name }) => [name, parentOf(name)])).toEqual([
    ['chat qwen-max', 'invoke_agent qwen'],
    ['execute_tool run_shell_command', 'invoke_agent qwen'],
    ['invoke_agent qwen', 'qwen.session'],
    ['qwen.session', undefined],
  ]);
  expect(find('chat qwen-max').attributes).toEqual({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'server.address': '127.0.0.1:80',
    'gen_ai.conversation.id': 'session-1',
    'gen_ai.request.model': 'qwen-max',
    'gen_ai.request.stream': true,
    'gen_ai.response.model': 'qwen-max',
    'gen_ai.response.time_to_first_chunk': expect.any(Number),
    'gen_ai.response.id': 'message-1',
    'gen_ai.response.finish_reasons': ['tool_use'],
    'gen_ai.usage.input_tokens': 10,
    'gen_ai.usage.output_tokens': 3,
    'gen_ai.usage.cache_read.input_tokens': 4,
  });
  expect(find('execute_tool run_shell_command').attributes).toMatchObject({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'run_shell_command',
    'gen_ai.tool.call.id': 'call-1',
    'qwen.tool.status': 'success',
  });
  expect(find('invoke_agent qwen').attributes).toMatchObject({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.conversation.id': 'session-1',
    'qwen.turn.outcome': 'success',
    'gen_ai.usage.input_tokens': 10,
  });
});

test('spans contain no prompts, answers, inputs or file contents', () => {
  const { spans } = follow([
    turnStart(),
    { type: 'notice', code: 'loop_detected', message: SECRET, data: { path: SECRET }, ...main },
    messageStart(),
    messageEnd(),
    pending('call-1', 'read_file'),
    toolEnd('call-1', { isError: true, status: 'error' }),
    turnEnd({ outcome: { type: 'error', error: new AgentError('provider_error', SECRET) } }),
  ]);
  const told = spans().map(({ name, attributes, events, status }) => ({ name, attributes, events, status }));
  expect(JSON.stringify(told)).toContain('loop_detected');
  expect(JSON.stringify(told)).not.toContain('secret');
});

test('a subagent is inside the call that started it', () => {
  const { parentOf } = follow([
    turnStart(),
    pending('task-1', 'task'),
    running('task-1'),
    messageStart('task-1'),
    messageEnd('task-1'),
    pending('call-2', 'glob', 'task-1'),
    toolEnd('call-2'),
    toolEnd('task-1'),
    turnEnd(),
  ]);
  expect(parentOf('chat qwen-max')).toBe('execute_tool task');
  expect(parentOf('execute_tool glob')).toBe('execute_tool task');
  expect(parentOf('execute_tool task')).toBe('invoke_agent qwen');
});

test.each([
  [{ status: 'error', isError: true }, 'tool_failed'],
  [
    { status: 'canceled', isError: true, denial: { tool_name: 'x', tool_use_id: 'c', tool_input: {} } },
    'permission_denied',
  ],
])('a call that ends as %j failed: %s', (outcome, word) => {
  const { failureOf } = follow([turnStart(), pending('call-1', 'edit'), toolEnd('call-1', outcome), turnEnd()]);
  expect(failureOf('execute_tool edit')).toEqual([word, word]);
});

test('a failed turn has the code, and so has its unanswered model call', () => {
  const error = new AgentError('rate_limited', 'too much');
  const { failureOf, find } = follow([
    turnStart(),
    { type: 'retry', attempt: 1, delayMs: 5, error, ...main },
    turnEnd({ outcome: { type: 'error', error }, usage: NO_USAGE }),
  ]);
  expect(failureOf('invoke_agent qwen')).toEqual(['rate_limited', 'rate_limited']);
  expect(failureOf('chat qwen-max')).toEqual(['rate_limited', 'rate_limited']);
  expect(find('chat qwen-max').events.map(({ name, attributes }) => [name, attributes?.['error.type']])).toEqual([
    ['qwen.model.retry', 'rate_limited'],
  ]);
});

test('a request that failed immediately has a span, although it had no event', () => {
  const error = new AgentError('unauthorized', 'no');
  const { failureOf } = follow([turnStart(), turnEnd({ outcome: { type: 'error', error } })]);
  expect(failureOf('chat qwen-max')).toEqual(['unauthorized', 'unauthorized']);
});

test('a broken answer has its reason: the code for a turn, the known part for a subagent', () => {
  const brokenOff = (agent: string | null): AgentEvent => ({ ...messageEnd(agent), stopReason: 'error' }) as AgentEvent;
  const error = new AgentError('stream_interrupted', 'x');
  const turn = follow([turnStart(), messageStart(), brokenOff(null), turnEnd({ outcome: { type: 'error', error } })]);
  expect(turn.failureOf('chat qwen-max')).toEqual(['stream_interrupted', 'stream_interrupted']);
  const task = [turnStart(), pending('task-1', 'task'), messageStart('task-1'), brokenOff('task-1'), toolEnd('task-1')];
  expect(follow([...task, turnEnd()]).failureOf('chat qwen-max')).toEqual(['provider_error', 'provider_error']);
});

test('a model replaced by a fallback has a separate call', () => {
  const error = new AgentError('overloaded', 'busy');
  const { failureOf, find } = follow([
    turnStart(),
    { type: 'model_fallback', from: 'qwen-plus', to: 'qwen-max', error, ...main },
    messageStart(),
    messageEnd(),
    turnEnd({ modelCalls: 2 }),
  ]);
  expect(failureOf('chat qwen-plus')).toEqual(['overloaded', 'overloaded']);
  expect(find('chat qwen-max').status.code).toBe(0);
});

test('open spans end with an interrupted turn and with a truncated session', () => {
  const open = [turnStart(), messageStart(), pending('call-1', 'glob'), pending('call-2', 'grep')];
  const outcome = { type: 'interrupted', by: 'user', reason: SECRET };
  const interrupted = follow([...open, turnEnd({ outcome })]);
  expect(interrupted.spans()).toHaveLength(5);
  expect(interrupted.find('invoke_agent qwen').attributes).toMatchObject({ 'qwen.turn.interrupted_by': 'user' });
  expect(follow(open).spans()).toHaveLength(5);
});

test("a session's parent is in the environment, a turn's in its prompt, linked to the session", () => {
  verifies('L-11');
  const fixture = createSpanFixture({ traceparent: TRACEPARENT });
  const other = '00-1af7651916cd43dd8448eb211c80319c-c7ad6b7169203331-01';
  fixture.telemetry.expect('turn-2', { traceparent: other });
  follow([turnStart('turn-1'), turnEnd(), turnStart('turn-2'), turnEnd()], fixture);
  const [first, second] = fixture.spans().filter(({ name }) => name === 'invoke_agent qwen');
  const session = fixture.find('qwen.session');
  expect(session.parentSpanContext).toMatchObject({ spanId: 'b7ad6b7169203331', isRemote: true });
  expect(first?.spanContext().traceId).toBe('0af7651916cd43dd8448eb211c80319c');
  expect(second?.parentSpanContext).toMatchObject({ spanId: 'c7ad6b7169203331' });
  expect(second?.links.map(({ context }) => context.spanId)).toEqual([session.spanContext().spanId]);
});

test.each([['nonsense'], ['00-0-0-00'], ['']])('the parent %j is ignored', (traceparent) => {
  const fixture = createSpanFixture({ traceparent });
  follow([turnStart(), turnEnd()], fixture);
  expect(fixture.find('qwen.session').parentSpanContext).toBeUndefined();
});

test('an idle session has no span', () => {
  expect(follow([]).spans()).toEqual([]);
});

test('with the switch for content, spans contain the prompt, the answer and the call', () => {
  const fixture = createSpanFixture(undefined, { includesContent: true });
  const session = fixture.telemetry.follow('session-1', 'qwen-max');
  session.expect('turn-1', [{ type: 'text', text: 'Hi' }, { type: 'image' }]);
  const events = [turnStart(), messageStart(), messageEnd(), pending('call-1', 'grep'), toolEnd('call-1'), turnEnd()];
  for (const event of events) session.observe(event);
  const read = (name: string, attribute: string): unknown =>
    JSON.parse(String(fixture.find(name).attributes[`gen_ai.${attribute}`]));
  expect(read('invoke_agent qwen', 'input.messages')).toEqual([
    { role: 'user', parts: [{ type: 'text', content: 'Hi' }] },
  ]);
  expect(read('invoke_agent qwen', 'output.messages')).toMatchObject([{ finish_reason: 'stop' }]);
  expect(read('chat qwen-max', 'output.messages')).toEqual([
    { role: 'assistant', parts: [{ type: 'text', content: SECRET }], finish_reason: 'tool_call' },
  ]);
  expect(read('execute_tool grep', 'tool.call.arguments')).toEqual({ command: SECRET });
  expect(fixture.find('execute_tool grep').attributes['gen_ai.tool.call.result']).toBe(SECRET);
});
