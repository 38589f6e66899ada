import { verifies } from '@qwen/testkit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  agentHandlers,
  answers,
  appHandlers,
  createLoneApp,
  createTwoPeers,
  settle,
  toolQuestion,
} from '../../test/peers.js';
import { type ControlLine, toControlLine } from '../control-frames.js';
import type { ControlHandler } from '../control-handlers.js';
import { AgentError } from '../errors.js';
import { ControlPeer } from './control-peer.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  if (vi.getTimerCount() !== 0) throw new Error('a timer was left behind');
  vi.useRealTimers();
});

test('both sides send requests and answer', async () => {
  verifies('N-09', 'J-02', 'O-13', 'O-15');
  const { app, agent, problems } = createTwoPeers({
    app: {
      handlers: { ...appHandlers, can_use_tool: ({ input }) => ({ behavior: 'allow', updatedInput: { was: input } }) },
    },
    agent: {
      handlers: { ...agentHandlers, set_model: ({ model }) => ({ model: `${model}!` }), interrupt: () => null },
    },
  });
  await expect(app.request('set_model', { model: 'm' })).resolves.toEqual({ model: 'm!' });
  await expect(app.request('interrupt', {})).resolves.toBeNull();
  await expect(agent.request('can_use_tool', toolQuestion)).resolves.toEqual({
    behavior: 'allow',
    updatedInput: { was: { path: 'a' } },
  });
  expect([app.pendingCount, agent.pendingCount, app.runningCount, agent.runningCount]).toEqual([0, 0, 0, 0]);
  expect(problems).toEqual([]);
});

test('a request without members has only its subtype on the line', () => {
  verifies('M-22', 'M-35', 'M-61', 'J-19');
  const { app, sent } = createLoneApp();
  const asked = [
    app.request('interrupt', {}),
    app.request('supported_commands', {}),
    app.request('mcp_server_status', {}),
  ];
  expect(sent.map((line) => (line.type === 'control_request' ? line.request : undefined))).toEqual([
    { subtype: 'interrupt' },
    { subtype: 'supported_commands' },
    { subtype: 'mcp_server_status' },
  ]);
  app.close(new AgentError('channel_closed', 'over'));
  return Promise.allSettled(asked);
});

test('IDs contain the side that created them and never repeat', async () => {
  const { app, sent } = createLoneApp();
  const asked = Array.from({ length: 100 }, () => app.request('interrupt', {}));
  const ids = sent.map((line) => line.type === 'control_request' && line.request_id);
  expect(new Set(ids).size).toBe(100);
  for (const id of ids) expect(id).toMatch(/^app-[0-9a-f-]{36}$/);
  app.close(new AgentError('channel_closed', 'over'));
  await Promise.allSettled(asked);
});

test('a handler may send a request before it answers', async () => {
  verifies('T2');
  const models: unknown[] = [];
  const { app, agent } = createTwoPeers({
    app: {
      handlers: {
        ...appHandlers,
        can_use_tool: async () => {
          await app.request('set_model', { model: 'other' });
          return { behavior: 'allow' };
        },
      },
    },
    agent: { handlers: { ...agentHandlers, set_model: ({ model }) => void models.push(model) } },
  });
  await expect(agent.request('can_use_tool', toolQuestion)).resolves.toEqual({ behavior: 'allow' });
  expect(models).toEqual(['other']);
});

test('handlers run concurrently and may answer in any order', async () => {
  verifies('T2');
  const first = Promise.withResolvers<{ behavior: 'allow' }>();
  const { agent } = createTwoPeers({
    app: {
      handlers: {
        ...appHandlers,
        can_use_tool: ({ tool_use_id }) => (tool_use_id === '1' ? first.promise : { behavior: 'deny', message: 'no' }),
      },
    },
  });
  const slow = agent.request('can_use_tool', { ...toolQuestion, tool_use_id: '1' });
  const quick = agent.request('can_use_tool', { ...toolQuestion, tool_use_id: '2' });
  await expect(quick).resolves.toMatchObject({ behavior: 'deny' });
  expect(agent.pendingCount).toBe(1);
  first.resolve({ behavior: 'allow' });
  await expect(slow).resolves.toMatchObject({ behavior: 'allow' });
});

test('an answer settles its request before accept returns, ahead of any queue', async () => {
  const { app, sent, receiveSuccess } = createLoneApp();
  const asked = app.request('interrupt', {});
  const [line] = sent;
  receiveSuccess(line?.type === 'control_request' ? line.request_id : '', null);
  expect(app.pendingCount).toBe(0);
  await asked;
});

test.each(['nope', 'set_model', 'toString', '__proto__', ''])('%j sent to the app is unknown there', (subtype) => {
  verifies('M-07', 'F13', 'J-08');
  const { sent, receiveRequest } = createLoneApp();
  receiveRequest('x', { subtype, model: 'm' });
  expect(sent).toEqual([
    {
      type: 'control_response',
      response: {
        subtype: 'error',
        request_id: 'x',
        error: expect.objectContaining({ code: 'unknown_subtype', retryable: false }),
      },
    },
  ]);
});

test('an invalid payload is answered with the location and never reaches the handler', () => {
  verifies('T25', 'M-06');
  const canUseTool = vi.fn<ControlHandler<'can_use_tool'>>();
  const { sent, receiveRequest } = createLoneApp({ handlers: { ...appHandlers, can_use_tool: canUseTool } });
  receiveRequest('x', { subtype: 'can_use_tool', tool_name: 1, tool_use_id: 'a', input: {} });
  expect(answers(sent)).toMatchObject([
    { request_id: 'x', error: { code: 'invalid_payload', message: 'can_use_tool.tool_name: expected string' } },
  ]);
  expect(canUseTool).not.toHaveBeenCalled();
});

test('the flat tool question and the older verdict names are understood', async () => {
  verifies('J-16', 'J-18');
  const canUseTool = vi.fn<ControlHandler<'can_use_tool'>>(() => ({ behavior: 'allow' }));
  const { app } = createLoneApp({ handlers: { ...appHandlers, can_use_tool: canUseTool } });
  app.accept({
    kind: 'request',
    requestId: 'q',
    subtype: 'can_use_tool',
    payload: { tool: { name: 'n', arguments: { a: 1 } } },
  });
  await settle();
  expect(canUseTool).toHaveBeenCalledWith(
    { tool_name: 'n', tool_use_id: 'q', input: { a: 1 } },
    { requestId: 'q', signal: expect.any(AbortSignal) },
  );
});

test('a handler receives the session of the envelope, and a request can name its session', async () => {
  verifies('CF-31');
  const lines: unknown[] = [];
  const canUseTool = vi.fn<ControlHandler<'can_use_tool'>>(() => ({ behavior: 'allow' }));
  const app = new ControlPeer({
    side: 'app',
    handlers: { ...appHandlers, can_use_tool: canUseTool },
    send: (line) => lines.push(line),
    toLine: (frame) =>
      frame.kind === 'request' ? { ...toControlLine(frame), session_id: frame.sessionId } : toControlLine(frame),
  });
  const payload = { tool_name: 'n', tool_use_id: 'q', input: {} };
  app.accept({ kind: 'request', requestId: 'q', subtype: 'can_use_tool', payload, sessionId: 's-1' });
  const answer = app.request('interrupt', {}, { place: { sessionId: 's-2' } });
  app.close(new AgentError('channel_closed', 'over'));
  await expect(answer).rejects.toMatchObject({ code: 'channel_closed' });
  expect(canUseTool).toHaveBeenCalledWith(payload, expect.objectContaining({ sessionId: 's-1' }));
  expect(lines).toMatchObject([{ request: { subtype: 'interrupt' }, session_id: 's-2' }]);
});

test.each([
  ['an error', new Error('boom'), { code: 'handler_failed', message: 'boom' }],
  ['a typed error', new AgentError('model_not_found', 'no such'), { code: 'model_not_found', message: 'no such' }],
  ['a string', 'boom', { code: 'handler_failed', message: 'boom' }],
])('a handler that throws %s is answered with it', async (_name, thrown, expected) => {
  verifies('J-10', 'M-06');
  for (const handler of [
    () => {
      throw thrown;
    },
    () => Promise.reject(thrown),
  ]) {
    const { app } = createTwoPeers({ agent: { handlers: { ...agentHandlers, set_model: handler } } });
    await expect(app.request('set_model', { model: 'm' })).rejects.toMatchObject(expected);
  }
});

test('an answer that JSON cannot represent becomes an error answer', async () => {
  const { app, problems } = createTwoPeers({
    agent: { handlers: { ...agentHandlers, interrupt: () => ({ big: 1n }) } },
  });
  await expect(app.request('interrupt', {})).rejects.toMatchObject({ code: 'handler_failed' });
  expect(problems).toMatchObject([{ code: 'invalid_payload' }]);
});

test('a send that throws fails its own request and leaves nothing behind', async () => {
  let broken = true;
  const { app, sent } = createLoneApp({ failSends: () => broken });
  await expect(app.request('interrupt', {})).rejects.toMatchObject({
    code: 'channel_closed',
    message: 'the pipe broke',
  });
  expect([app.pendingCount, vi.getTimerCount(), sent]).toEqual([0, 0, []]);
  broken = false;
  const controller = new AbortController();
  const asked = app.request('interrupt', {}, { signal: controller.signal });
  broken = true;
  controller.abort();
  await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
});

test('an answer that cannot be sent is reported', async () => {
  const { problems, receiveRequest } = createLoneApp({
    failSends: () => true,
    handlers: { ...appHandlers, hook_callback: () => ({}) },
  });
  receiveRequest('x', { subtype: 'hook_callback', callback_id: 'h', input: {}, tool_use_id: null });
  receiveRequest('y', { subtype: 'nope' });
  await settle();
  expect(problems.map(({ code }) => code)).toEqual(['channel_closed', 'channel_closed', 'channel_closed']);
});

test('close settles all pending requests and aborts all handlers, once', async () => {
  verifies('T5', 'N-08');
  const signals: AbortSignal[] = [];
  const { app, sent, problems, receiveRequest } = createLoneApp({
    handlers: {
      ...appHandlers,
      can_use_tool: (_payload, { signal }) => {
        signals.push(signal);
        return Promise.withResolvers<never>().promise;
      },
    },
  });
  const asked = [app.request('interrupt', {}), app.request('set_model', { model: 'm' }, { timeoutMs: 0 })];
  receiveRequest('x', { subtype: 'can_use_tool', ...toolQuestion });
  const sentBefore: readonly ControlLine[] = [...sent];
  const reason = new AgentError('process_exited', 'gone');
  app.close(reason);
  app.close(new AgentError('internal', 'ignored'));
  const outcomes = await Promise.allSettled(asked);
  expect(outcomes).toEqual([
    { status: 'rejected', reason },
    { status: 'rejected', reason },
  ]);
  expect(signals.map(({ reason: why }) => why)).toEqual([reason]);
  expect([app.closed, app.pendingCount, app.runningCount]).toEqual([true, 0, 0]);
  receiveRequest('y', { subtype: 'nope' });
  await settle();
  expect([sent, problems]).toEqual([sentBefore, []]);
});

test('a request after close is refused with the reason as its cause', async () => {
  verifies('T5');
  const { app, sent } = createLoneApp();
  const reason = new AgentError('process_exited', 'gone');
  app.close(reason);
  app.close(new AgentError('internal', 'ignored'));
  await expect(app.request('interrupt', {})).rejects.toMatchObject({ code: 'channel_closed', cause: reason });
  expect(sent).toEqual([]);
});
