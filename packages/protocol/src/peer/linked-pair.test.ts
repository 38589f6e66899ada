import { expect, test } from 'vitest';
import { settle } from '../../test/peers.js';
import type { Frame } from '../frame.js';
import { createLinkedPair } from './linked-pair.js';

test('lines arrive in order and never inside send', async () => {
  const [left, right] = createLinkedPair();
  const heard: Frame[] = [];
  right.onFrame((frame) => heard.push(frame));
  left.send({ type: 'a' });
  left.send({ type: 'b', text: 'x\u2028y' });
  expect(heard).toEqual([]);
  await settle();
  expect(heard).toEqual([
    { kind: 'unknown', type: 'a', value: { type: 'a' } },
    { kind: 'unknown', type: 'b', value: { type: 'b', text: 'x\u2028y' } },
  ]);
});

test('lines sent before a reader is attached wait', async () => {
  const [left, right] = createLinkedPair();
  left.send({ type: 'a' });
  await settle();
  const heard: Frame[] = [];
  right.onFrame((frame) => heard.push(frame));
  await settle();
  expect(heard).toHaveLength(1);
});

test('closing one direction takes effect after its last line, once, and leaves the other open', async () => {
  const [left, right] = createLinkedPair();
  const heard: string[] = [];
  right.onClose(() => heard.push('closed'));
  left.send({ type: 'last' });
  left.close();
  left.close();
  await settle();
  right.onFrame(({ kind }) => heard.push(kind));
  await settle();
  left.close();
  await settle();
  expect(heard).toEqual(['unknown', 'closed']);
  expect(() => left.send({ type: 'x' })).toThrow(expect.objectContaining({ code: 'channel_closed' }));
  left.onFrame(({ kind }) => heard.push(`back: ${kind}`));
  right.send({ type: 'y' });
  await settle();
  expect(heard.at(-1)).toBe('back: unknown');
});

test('a value that JSON cannot represent fails at the sender', () => {
  const [left] = createLinkedPair();
  expect(() => left.send({ big: 1n })).toThrow(expect.objectContaining({ code: 'invalid_payload' }));
});
