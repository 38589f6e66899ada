import { expect, test } from 'vitest';
import { QUESTION } from '../../test/collect.js';
import { ManualClock } from '../../test/manual-clock.js';
import { DEFAULT_MODEL_LIMITS } from '../model.js';
import { CompletionReader } from '../openai-compatible/completion-reader.js';
import type { Provider } from './provider.js';
import { runCall } from './run-call.js';

const begin = (prepare: Provider['prepare'], signal: AbortSignal) => {
  const clock = new ManualClock();
  const provider: Provider = { prepare, createReader: () => new CompletionReader() };
  const call = runCall({ provider, request: QUESTION, limits: DEFAULT_MODEL_LIMITS, clock, signal });
  return { call, clock };
};
const aborted = { done: true, value: { error: { code: 'aborted' }, emitted: false } };

test('no sign-in happens after an abort', async () => {
  let askedCount = 0;
  const prepare = () => {
    askedCount += 1;
    return Promise.reject(new Error('not to be asked'));
  };
  const { call } = begin(prepare, AbortSignal.abort());
  expect(await call.next()).toMatchObject(aborted);
  expect(askedCount).toBe(0);
});

test('an abort does not wait for a provider that ignores it', async () => {
  const controller = new AbortController();
  const { call, clock } = begin(() => new Promise(() => undefined), controller.signal);
  const next = call.next();
  controller.abort();
  expect(await next).toMatchObject(aborted);
  expect(clock.pendingCount).toBe(0);
});
