import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { QUESTION } from '../../test/collect.js';
import { ManualClock } from '../../test/manual-clock.js';
import { DEFAULT_MODEL_LIMITS } from '../model.js';
import { CompletionReader } from '../openai-compatible/completion-reader.js';
import type { Provider } from './provider.js';
import { runCall } from './run-call.js';

const begin = (open: Provider['open'], signal: AbortSignal) => {
  const clock = new ManualClock();
  const provider: Provider = { open, createReader: () => new CompletionReader() };
  const call = runCall({ provider, request: QUESTION, limits: DEFAULT_MODEL_LIMITS, clock, signal });
  return { call, clock };
};
const aborted = { done: true, value: { error: { code: 'aborted' }, emitted: false } };

test('a provider is not even asked to sign in once the caller has aborted', async () => {
  let openCount = 0;
  const open = () => {
    openCount += 1;
    return Promise.resolve(new Response());
  };
  const { call } = begin(open, AbortSignal.abort());
  expect(await call.next()).toMatchObject(aborted);
  expect(openCount).toBe(0);
});

test('a provider that does not listen to the abort is not waited for', async () => {
  const controller = new AbortController();
  const { call, clock } = begin(() => new Promise(() => undefined), controller.signal);
  const next = call.next();
  controller.abort();
  expect(await next).toMatchObject(aborted);
  expect(clock.pendingCount).toBe(0);
});

test('a body that does not listen to the abort is cancelled', async () => {
  verifies('F69');
  const controller = new AbortController();
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: () => {
        queueMicrotask(() => controller.abort());
        return new Promise(() => undefined);
      },
      cancel: () => {
        isCancelled = true;
      },
    },
    // Nothing is pulled before the call reads.
    { highWaterMark: 0 },
  );
  const { call } = begin(() => Promise.resolve(new Response(body)), controller.signal);
  expect(await call.next()).toMatchObject(aborted);
  expect(isCancelled).toBe(true);
});
