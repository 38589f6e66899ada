import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { createSpanFixture } from '../../test/span-fixture.js';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** A session in the middle of one call. */
function openFixture() {
  const fixture = createSpanFixture();
  const session = fixture.telemetry.follow('session-1', 'qwen-plus');
  session.observe({ type: 'turn_start', turnId: 'turn-1' });
  session.observe({
    type: 'tool_pending',
    callId: 'call-1',
    name: 'edit',
    input: {},
    kind: 'edit',
    parentToolUseId: null,
  });
  return { ...fixture, session };
}

test('a question about a call is inside its span, and the app receives the context', () => {
  verifies('GAP-55');
  const { telemetry, session, find, parentOf } = openFixture();
  const asked = telemetry.control.ask({ subtype: 'can_use_tool', payload: { tool_use_id: 'call-1' } });
  asked.end();
  session.end();
  const { traceId, spanId } = find('control can_use_tool').spanContext();
  expect(asked.context).toEqual({ traceparent: `00-${traceId}-${spanId}-01` });
  expect(parentOf('control can_use_tool')).toBe('execute_tool edit');
});

test("another question is inside the turn's span; a failure has its code", () => {
  const { telemetry, session, parentOf, failureOf } = openFixture();
  telemetry.control.ask({ subtype: 'mcp_message', payload: {} }).end(new AgentError('timeout', 'a secret'));
  session.end();
  expect(parentOf('control mcp_message')).toBe('invoke_agent qwen');
  expect(failureOf('control mcp_message')).toEqual(['timeout', 'timeout']);
});

test('a request of the app is inside the span that it names', async () => {
  const { telemetry, find } = openFixture();
  const signal = new AbortController().signal;
  const request = { subtype: 'set_model', trace: { traceparent: TRACEPARENT }, signal };
  expect(await telemetry.control.serve(request, async () => 'done')).toBe('done');
  expect(find('control set_model').parentSpanContext).toMatchObject({ spanId: 'b7ad6b7169203331' });
});

test('a handler that throws, fails or is abandoned ends its span', async () => {
  const { telemetry, spans, failureOf } = openFixture();
  const abort = new AbortController();
  const serve = <Result>(subtype: string, run: () => Result) =>
    telemetry.control.serve({ subtype, trace: undefined, signal: abort.signal }, run);
  expect(() =>
    serve('a', () => {
      throw new AgentError('usage', 'x');
    }),
  ).toThrow('x');
  await expect(serve('b', () => Promise.reject(new AgentError('invalid_payload', 'x')))).rejects.toThrow('x');
  void serve('c', () => new Promise(() => undefined));
  expect(spans().map(({ name }) => name)).not.toContain('control c');
  abort.abort(new AgentError('cancelled', 'x'));
  expect(['a', 'b', 'c'].map((name) => failureOf(`control ${name}`)?.toString())).toEqual([
    'usage,usage',
    'invalid_payload,invalid_payload',
    'cancelled,cancelled',
  ]);
});

test('without a session a request has the parent of the process', () => {
  const fixture = createSpanFixture({ traceparent: TRACEPARENT });
  const signal = new AbortController().signal;
  fixture.telemetry.control.serve({ subtype: 'initialize', trace: undefined, signal }, () => 'answer');
  expect(fixture.find('control initialize').parentSpanContext).toMatchObject({ spanId: 'b7ad6b7169203331' });
});

test('closing ends open spans, once', async () => {
  const { telemetry, spans } = openFixture();
  await Promise.all([telemetry.close(), telemetry.close()]);
  expect(spans().map(({ name }) => name)).toEqual(['execute_tool edit', 'invoke_agent qwen', 'qwen.session']);
});
