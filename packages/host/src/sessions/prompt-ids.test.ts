import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { PromptIds } from './prompt-ids.js';

test('generated IDs continue the count of earlier runs', () => {
  verifies('E-06', 'E-07');
  const ids = new PromptIds('session-123');
  expect([ids.next(), ids.next()]).toEqual(['session-123########1', 'session-123########2']);
  ids.startBehind(6);
  expect(ids.next()).toBe('session-123########7');
});

test('a prompt ID of the host is accepted once, in any form', () => {
  verifies('E-08');
  const ids = new PromptIds('s');
  ids.bind('turn-1', 'mine');
  expect(ids.of('turn-1')).toBe('mine');
  ids.release('turn-1');
  expect(ids.of('turn-1')).toBeUndefined();
  expect(() => ids.bind('turn-2', 'mine')).toThrow(expect.objectContaining({ code: 'invalid_message' }));
  ids.rebind('turn-2', 'mine');
  expect(ids.of('turn-2')).toBe('mine');
});

test('generated IDs skip those that a host has used', () => {
  verifies('E-07');
  const ids = new PromptIds('s');
  ids.bind('turn-1', 's########1');
  expect(ids.next()).toBe('s########2');
});

test('the number of remembered IDs is limited', () => {
  const ids = new PromptIds('s');
  for (let turn = 0; turn <= 1_000; turn += 1) ids.bind(`turn-${turn}`, `p-${turn}`);
  expect(() => ids.bind('again', 'p-1000')).toThrow('was used before');
  expect(() => ids.bind('old', 'p-0')).not.toThrow();
});

test('resumed turns do not grow the list, and a closed session keeps the newest IDs', () => {
  const ids = new PromptIds('s');
  for (let turn = 0; turn <= 1_000; turn += 1) ids.rebind(`turn-${turn}`, `p-${turn}`);
  expect(() => ids.bind('old', 'p-0')).not.toThrow();
  ids.rest();
  expect(() => ids.bind('older', 'p-500')).not.toThrow();
  expect(() => ids.bind('newest', 'p-1000')).toThrow('was used before');
});
