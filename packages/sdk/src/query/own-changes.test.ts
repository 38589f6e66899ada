import type { SDKMessage } from '@qwen/protocol';
import { expect, test } from 'vitest';
import { OwnChanges } from './own-changes.js';

const accept = () => Promise.resolve();

function modelChanged(model: string): SDKMessage {
  return { type: 'system', subtype: 'model_changed', session_id: 's', uuid: 'u', model, data: { model } };
}

test('the message of each of two changes at once is taken', async () => {
  const changes = new OwnChanges();
  await Promise.all([
    changes.expect('model_changed', 'first', accept),
    changes.expect('model_changed', 'second', accept),
  ]);
  expect(changes.take(modelChanged('first'))).toBe(true);
  expect(changes.take(modelChanged('second'))).toBe(true);
  expect(changes.take(modelChanged('second'))).toBe(false);
});

test('a change to the default model is told by any model', async () => {
  const changes = new OwnChanges();
  await Promise.all([changes.expect('model_changed', null, accept), changes.expect('model_changed', 'next', accept)]);
  expect(changes.take(modelChanged('the default'))).toBe(true);
  expect(changes.take(modelChanged('next'))).toBe(true);
  expect(changes.take(modelChanged('foreign'))).toBe(false);
});

test('a refused change leaves the other one expected', async () => {
  const changes = new OwnChanges();
  const accepted = changes.expect('model_changed', 'good', accept);
  await expect(
    changes.expect('model_changed', 'bad', () => Promise.reject(new Error('unknown model'))),
  ).rejects.toThrow('unknown model');
  await accepted;
  expect(changes.take(modelChanged('good'))).toBe(true);
});

test('a change that was overtaken by another one is not expected any more', async () => {
  const changes = new OwnChanges();
  await changes.expect('model_changed', 'same', accept);
  await changes.expect('model_changed', 'next', accept);
  expect(changes.take(modelChanged('next'))).toBe(true);
  expect(changes.take(modelChanged('same'))).toBe(false);
  await changes.expect('model_changed', 'same', accept);
  expect(changes.take(modelChanged('foreign'))).toBe(false);
  expect(changes.take(modelChanged('same'))).toBe(false);
});
