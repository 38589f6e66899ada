import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { cutText, readProblem } from './error-text.js';

test.for<[string, string, string]>([
  ['an object', '{"error":{"message":"no"}}', 'no'],
  ['a list', '[{"error":{"message":"no"}}]', 'no'],
  ['a text', '{"error":"no"}', 'no'],
  ['a message of its own', '{"message":"no"}', 'no'],
  ['a detail', '{"detail":"no"}', 'no'],
  ['msg', '{"code":1,"msg":"no"}', 'no'],
  ['error_msg', '{"error_code":1,"error_msg":"no"}', 'no'],
  ['details without a message', '{"detail":[{"msg":"needed"}]}', '{"detail":[{"msg":"needed"}]}'],
  ['plain words', ' no \n', 'no'],
  ['nothing', '', 'the response has no body'],
  ['a page', '<!DOCTYPE html><html><title> Bad\u00a0Gateway </title>', 'an HTML page, "Bad\u00a0Gateway"'],
  ['a page without title', '<html><p>no</p>', 'an HTML page'],
  ['half a JSON text', '{"error":', '{"error":'],
])('the message in %s', ([, body, message]) => {
  verifies('F62');
  expect(readProblem(body).message).toBe(message);
});

test('truncation never splits a character', () => {
  verifies('F62');
  for (let shift = 0; shift < 4; shift += 1) {
    const cut = cutText('x'.repeat(shift) + '🙂'.repeat(1_000));
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(1_903);
    expect(Buffer.from(cut).toString()).toBe(cut);
    expect(cut.endsWith('🙂…')).toBe(true);
  }
});
