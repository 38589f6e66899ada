import { normalHost } from '@qwen/agent';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { judgeHost } from './host-list.js';

const judge = (host: string, allowed: readonly string[], denied: readonly string[] = []) =>
  judgeHost(normalHost(host) ?? '', { allowed, denied });

test('an empty list allows no host', () => {
  verifies('S114');
  for (const host of ['example.com', '127.0.0.1', '::1', 'localhost', '']) expect(judge(host, [])).toBe('unknown');
  expect(judge('example.com', [''])).toBe('unknown');
});

test('a name is that host only, a star is what is below it', () => {
  verifies('S115');
  const allowed = ['example.com', '*.test.dev', 'Bücher.example', '[2001:db8::1]'];
  for (const host of ['example.com', 'EXAMPLE.com.', 'xn--bcher-kva.example', '2001:db8:0::1']) {
    expect(judge(host, allowed)).toBe('named');
  }
  for (const host of ['a.test.dev', 'a.b.test.dev']) expect(judge(host, allowed)).toBe('allowed');
  for (const host of [
    'www.example.com',
    'example.com.evil.org',
    'evilexample.com',
    'test.dev',
    'eviltest.dev',
    'example.co',
    'example.com%00.evil.org',
    'example.com@evil.org',
  ]) {
    expect(judge(host, allowed)).toBe('unknown');
  }
});

test('a denied host stays denied, and numbers are addresses', () => {
  verifies('S115');
  expect(judge('api.example.com', ['*'], ['*.example.com'])).toBe('denied');
  expect(judge('example.com', ['example.com'], ['example.com'])).toBe('denied');
  for (const host of ['2130706433', '0x7f.1', '127.1', '017700000001']) expect(normalHost(host)).toBe('127.0.0.1');
  expect(judge('2130706433', ['*'], ['127.0.0.1'])).toBe('denied');
  expect(judge('other.org', ['*'])).toBe('allowed');
});
