import { verifies } from '@qwen/testkit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  answers,
  appHandlers,
  createLoneApp,
  createTwoPeers,
  requestIds,
  settle,
  toolQuestion,
} from '../../test/peers.js';
import type { ControlHandler } from '../control-handlers.js';
import { AgentError } from '../errors.js';
import { ControlPeer } from './control-peer.js';

// What a peer that is broken, late or hostile can send.

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  if (vi.getTimerCount() !== 0) throw new Error('a timer was left behind');
  vi.useRealTimers();
});

const hook = (callbackId: string) => ({
  subtype: 'hook_callback',
  callback_id: callbackId,
  input: {},
  tool_use_id: null,
});

test('an ID never runs twice, neither concurrently nor later', async () => {
  verifies('F18');
  const running = Promise.withResolvers<Record<string, unknown>>();
  const run = vi.fn<ControlHandler<'hook_callback'>>(() => running.promise);
  const { sent, receiveRequest } = createLoneApp({ handlers: { ...appHandlers, hook_callback: run } });
  receiveRequest('a', hook('h'));
  receiveRequest('a', hook('h'));
  expect(answers(sent)).toMatchObject([{ request_id: 'a', error: { code: 'duplicate_request' } }]);
  running.resolve({ done: true });
  await settle();
  receiveRequest('a', hook('h'));
  await settle();
  expect(run).toHaveBeenCalledTimes(1);
  expect(answers(sent)).toMatchObject([
    { subtype: 'error' },
    { subtype: 'success', response: { done: true } },
    { subtype: 'error', error: { code: 'duplicate_request' } },
  ]);
});

test('the last 512 ids are remembered', async () => {
  verifies('F18');
  const run = vi.fn<ControlHandler<'hook_callback'>>(() => ({}));
  const { receiveRequest } = createLoneApp({ handlers: { ...appHandlers, hook_callback: run } });
  for (let index = 0; index < 512; index += 1) receiveRequest(`id-${index}`, hook('h'));
  await settle();
  receiveRequest('id-0', hook('h'));
  await settle();
  expect(run).toHaveBeenCalledTimes(512);
});

test('an unrelated answer is reported and changes nothing', async () => {
  verifies('F19', 'S85');
  const { app, sent, problems, receiveSuccess } = createLoneApp();
  const asked = app.request('interrupt', {});
  receiveSuccess('zzz', null);
  expect(problems).toMatchObject([{ code: 'unexpected_response', data: { requestId: 'zzz' } }]);
  expect(app.pendingCount).toBe(1);
  receiveSuccess(requestIds(sent)[0] ?? '', null);
  await asked;
});

test.each(['allow', 'deny'] as const)('the first answer counts: %s stays', async (first) => {
  verifies('F20');
  const second = first === 'allow' ? 'deny' : 'allow';
  const lines: string[] = [];
  const problems: AgentError[] = [];
  const agent = createAgent(lines, problems);
  const asked = agent.request('can_use_tool', toolQuestion);
  const requestId = lines[0] ?? '';
  agent.accept({ kind: 'response', requestId, ok: true, result: { behavior: first } });
  agent.accept({ kind: 'response', requestId, ok: true, result: { behavior: second } });
  await expect(asked).resolves.toEqual({ behavior: first });
  expect(problems).toMatchObject([{ code: 'late_response', data: { ending: 'answered' } }]);
});

test('an answer after the deadline changes nothing, and the channel continues', async () => {
  verifies('F21');
  const { app, sent, problems, receiveSuccess, receiveError } = createLoneApp();
  const asked = app.request('interrupt', {});
  const late = expect(asked).rejects.toMatchObject({ code: 'timeout' });
  vi.advanceTimersByTime(60_000);
  await late;
  const [requestId = ''] = requestIds(sent);
  receiveError(requestId, { message: 'Request cancelled', code: 'cancelled' });
  expect(problems).toEqual([]);
  receiveSuccess(requestId, null);
  expect(problems).toMatchObject([{ code: 'late_response', message: expect.stringContaining('late') }]);
  const next = app.request('interrupt', {});
  receiveSuccess(requestIds(sent)[1] ?? '', null);
  await expect(next).resolves.toBeNull();
});

test.each([
  [{ behavior: 'Allow' }],
  [{ behavior: true }],
  [{ behavior: 1 }],
  [{ behavior: ['allow'] }],
  [{ behavior: ['allow', 'deny'] }],
  [{ behavior: 'allow', updatedInput: 'not an object' }],
  [{}],
  [null],
  ['allow'],
  [{ mcp_response: { result: {} } }],
])('%j is not an approval', async (result) => {
  verifies('S85', 'S87');
  const lines: string[] = [];
  const agent = createAgent(lines, []);
  const asked = agent.request('can_use_tool', toolQuestion);
  agent.accept({ kind: 'response', requestId: lines[0] ?? '', ok: true, result });
  await expect(asked).rejects.toMatchObject({ code: 'invalid_payload' });
});

test.each([
  ['approve', 'allow'],
  ['reject', 'deny'],
])('%s is read as %s', async (word, meaning) => {
  const lines: string[] = [];
  const agent = createAgent(lines, []);
  const asked = agent.request('can_use_tool', toolQuestion);
  agent.accept({ kind: 'response', requestId: lines[0] ?? '', ok: true, result: { behavior: word } });
  await expect(asked).resolves.toEqual({ behavior: meaning });
});

test('a flood is answered with overloaded, then passes', async () => {
  verifies('S88');
  const running = Promise.withResolvers<Record<string, unknown>>();
  const { app, sent, receiveRequest } = createLoneApp({
    maxInFlight: 2,
    handlers: { ...appHandlers, hook_callback: () => running.promise },
  });
  for (const id of ['a', 'b', 'c']) receiveRequest(id, hook(id));
  expect(app.runningCount).toBe(2);
  expect(answers(sent)).toMatchObject([{ request_id: 'c', error: { code: 'overloaded', retryable: true } }]);
  running.resolve({});
  await settle();
  receiveRequest('c', hook('c'));
  await settle();
  expect(answers(sent).at(-1)).toMatchObject({ request_id: 'c', subtype: 'success' });
});

test('a flood leaves at most the default limit running', () => {
  verifies('S88');
  const { app, receiveRequest } = createLoneApp({
    handlers: { ...appHandlers, hook_callback: () => Promise.withResolvers<never>().promise },
  });
  for (let index = 0; index < 5000; index += 1) receiveRequest(`id-${index}`, hook('h'));
  expect(app.runningCount).toBe(1024);
  app.close(new AgentError('channel_closed', 'over'));
});

test('a withdrawn handler is aborted and answered once, and its late answer is dropped', async () => {
  verifies('J-23', 'N-08', 'GAP-36');
  const running = Promise.withResolvers<Record<string, unknown>>();
  const signals: AbortSignal[] = [];
  const { sent, receiveRequest, receiveCancel } = createLoneApp({
    handlers: {
      ...appHandlers,
      hook_callback: (_payload, { signal }) => {
        signals.push(signal);
        return running.promise;
      },
    },
  });
  receiveRequest('a', hook('h'));
  receiveCancel('a');
  expect(signals[0]?.reason).toMatchObject({ code: 'cancelled' });
  running.resolve({ late: true });
  await settle();
  expect(answers(sent)).toMatchObject([
    { request_id: 'a', error: { message: 'Request cancelled', code: 'cancelled' } },
  ]);
});

test('a withdrawal without an ID means all, one with an unknown ID none', () => {
  verifies('F22', 'J-23', 'GAP-36');
  const { app, sent, receiveRequest, receiveCancel } = createLoneApp({
    handlers: { ...appHandlers, hook_callback: () => Promise.withResolvers<never>().promise },
  });
  for (const id of ['a', 'b']) receiveRequest(id, hook(id));
  receiveCancel('zzz');
  expect([app.runningCount, sent]).toEqual([2, []]);
  receiveCancel();
  expect([app.runningCount, answers(sent).map(({ request_id: id }) => id)]).toEqual([0, ['a', 'b']]);
  receiveCancel('a');
  expect(sent).toHaveLength(2);
});

test('a withdrawal crosses to the handler on the other side', async () => {
  verifies('O-03');
  const aborted = Promise.withResolvers<unknown>();
  const { agent, problems } = createTwoPeers({
    app: {
      handlers: {
        ...appHandlers,
        can_use_tool: (_payload, { signal }) => {
          signal.addEventListener('abort', () => aborted.resolve(signal.reason));
          return Promise.withResolvers<never>().promise;
        },
      },
    },
  });
  const controller = new AbortController();
  const asked = agent.request('can_use_tool', toolQuestion, { signal: controller.signal });
  await settle();
  controller.abort(new Error('turn over'));
  await expect(asked).rejects.toMatchObject({ code: 'cancelled', cause: { message: 'turn over' } });
  await expect(aborted.promise).resolves.toMatchObject({ code: 'cancelled' });
  await settle();
  expect(problems).toEqual([]);
});

function createAgent(requestLines: string[], problems: AgentError[]) {
  return new ControlPeer({
    side: 'agent',
    handlers: {} as never,
    send: (line) => {
      if (line.type === 'control_request') requestLines.push(line.request_id);
    },
    onProblem: (error) => void problems.push(error),
  });
}
