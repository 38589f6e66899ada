import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { toServerPart, toToolNames } from './tool-name.js';

test('plain names are kept', () => {
  expect(toToolNames('my-server', ['read_file', 'Write'])).toEqual([
    'mcp__my-server__read_file',
    'mcp__my-server__Write',
  ]);
});

test('servers with the same tool name do not collide with each other or the built-in tools', () => {
  verifies('F111', 'S93');
  const names = [...toToolNames('a', ['read_file']), ...toToolNames('b', ['read_file'])];
  expect(names).toEqual(['mcp__a__read_file', 'mcp__b__read_file']);
});

test('a server cannot imitate another by a separator in its name', () => {
  verifies('S93');
  const [odd] = toToolNames('a__x', ['y']);
  const [plain] = toToolNames('a', ['x__y']);
  expect(odd).not.toBe(plain);
  expect(toServerPart('a__x')).not.toContain('__');
  for (const name of ['_', '__', 'a_', '_a', '']) expect(toServerPart(name)).toMatch(/^[A-Za-z0-9]|^[a-f0-9]{8}$/);
});

test('servers whose names differ only in special characters stay distinct', () => {
  verifies('F111', 'S93');
  const parts = ['a b', 'a.b', 'a_b', 'a/b', 'a\u200bb'].map(toServerPart);
  expect(new Set(parts).size).toBe(parts.length);
});

test('names over 64 characters that differ at their end stay distinct and are stable', () => {
  verifies('F111');
  const long = 't'.repeat(79);
  const tools = [`${long}1`, `${long}2`, `${long}1`];
  const names = toToolNames('s'.repeat(80), tools);
  expect(new Set(names).size).toBe(3);
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  expect(toToolNames('s'.repeat(80), tools)).toEqual(names);
});

test('tools whose names become equal after cleaning or in case stay distinct', () => {
  verifies('F111');
  const names = toToolNames('s', ['a.b', 'a b', 'A_B', '', '日本']);
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(5);
  for (const name of names) expect(name).toMatch(/^mcp__s__[A-Za-z0-9_-]+$/);
});
