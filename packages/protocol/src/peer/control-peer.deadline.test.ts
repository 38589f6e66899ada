import { getEventListeners } from 'node:events';
import { verifies } from '@qwen/testkit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLoneApp, requestIds } from '../../test/peers.js';
import { AgentError } from '../errors.js';
import { DEFAULT_TIMEOUTS, type Timeouts } from '../options.js';
import { startDeadline } from './deadline-timer.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  if (vi.getTimerCount() !== 0) throw new Error('a timer was left behind');
  vi.useRealTimers();
});

/** After how many milliseconds a request times out. */
async function deadlineOf(
  subtype: 'initialize' | 'interrupt',
  timeouts: Timeouts,
  timeoutMs?: number,
): Promise<number> {
  const { app } = createLoneApp({ timeouts });
  const outcome = Promise.allSettled([app.request(subtype, {}, { timeoutMs })]);
  let waitedMs = 0;
  while (app.pendingCount > 0) {
    vi.advanceTimersByTime(100);
    waitedMs += 100;
  }
  expect(await outcome).toMatchObject([{ reason: { code: 'timeout', data: { timeoutMs: waitedMs } } }]);
  return waitedMs;
}

test('the default is 60 seconds everywhere', async () => {
  verifies('O-02', 'M-05', 'M-82', 'J-04');
  expect(DEFAULT_TIMEOUTS).toEqual({
    canUseTool: 60_000,
    mcpRequest: 60_000,
    controlRequest: 60_000,
    streamClose: 60_000,
    initialize: 60_000,
  });
  expect(await deadlineOf('interrupt', {})).toBe(60_000);
  expect(await deadlineOf('interrupt', { controlRequest: 500 })).toBe(500);
  expect(await deadlineOf('interrupt', { controlRequest: 500 }, 300)).toBe(300);
  expect(await deadlineOf('initialize', { controlRequest: 500 })).toBe(500);
  expect(await deadlineOf('initialize', { controlRequest: 500, initialize: 700 })).toBe(700);
});

test('deadlines can be changed individually while the channel is open', async () => {
  verifies('M-05');
  const { app } = createLoneApp({ timeouts: { controlRequest: 500, initialize: 500 } });
  app.setTimeouts({ controlRequest: 100 });
  const short = expect(app.request('interrupt', {})).rejects.toMatchObject({ code: 'timeout' });
  const kept = expect(app.request('initialize', {})).rejects.toMatchObject({ code: 'timeout' });
  vi.advanceTimersByTime(100);
  expect(app.pendingCount).toBe(1);
  vi.advanceTimersByTime(400);
  expect(app.pendingCount).toBe(0);
  await Promise.all([short, kept]);
});

test('only the sender keeps the deadline, and it withdraws expired requests', async () => {
  verifies('T10', 'J-04');
  const { app, sent } = createLoneApp();
  const asked = expect(app.request('interrupt', {}, { timeoutMs: 10 })).rejects.toMatchObject({ code: 'timeout' });
  vi.advanceTimersByTime(10);
  await asked;
  expect(sent[1]).toEqual({ type: 'control_cancel_request', request_id: requestIds(sent)[0] });
});

test.each([0, Infinity, 2 ** 31])('%d milliseconds means no deadline', async (timeoutMs) => {
  const { app, sent, receiveSuccess } = createLoneApp();
  const asked = app.request('interrupt', {}, { timeoutMs });
  vi.advanceTimersByTime(10 ** 9);
  expect(app.pendingCount).toBe(1);
  receiveSuccess(requestIds(sent)[0] ?? '', null);
  await asked;
});

test('timer and abort listener are removed after the answer', async () => {
  verifies('O-14', 'T12', 'N-08');
  const { app, sent, receiveSuccess } = createLoneApp();
  const { signal } = new AbortController();
  const asked = app.request('interrupt', {}, { signal });
  expect([vi.getTimerCount(), getEventListeners(signal, 'abort').length]).toEqual([1, 1]);
  receiveSuccess(requestIds(sent)[0] ?? '', null);
  expect([vi.getTimerCount(), getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
  await asked;
});

test('a signal withdraws its request; an aborted one sends nothing', async () => {
  verifies('O-03');
  const { app, sent } = createLoneApp();
  const controller = new AbortController();
  const asked = expect(app.request('interrupt', {}, { signal: controller.signal })).rejects.toMatchObject({
    code: 'cancelled',
  });
  controller.abort();
  await asked;
  expect(sent[1]).toEqual({ type: 'control_cancel_request', request_id: requestIds(sent)[0] });
  await expect(app.request('interrupt', {}, { signal: controller.signal })).rejects.toMatchObject({
    code: 'cancelled',
  });
  expect(sent).toHaveLength(2);
});

test('a deadline does not keep the process alive', () => {
  vi.useRealTimers();
  const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const stop = startDeadline(60_000, () => undefined);
  const after = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  stop();
  expect(after).toBe(before);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

test('closing clears the timers', async () => {
  verifies('N-08', 'T5');
  const { app } = createLoneApp();
  const asked = Promise.allSettled([app.request('interrupt', {}), app.request('initialize', {})]);
  app.close(new AgentError('channel_closed', 'over'));
  expect(vi.getTimerCount()).toBe(0);
  await asked;
});
