import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { toWellFormed, WholeCharacters } from './whole-characters.js';

test('half a character waits for the other half', () => {
  verifies('GAP-08');
  const [high, low] = ['\ud83d', '\udc69'];
  const characters = new WholeCharacters();
  expect([`a${high}`, low, `b${high}`, `${low}c`, '', high].map((piece) => characters.take(piece))).toEqual([
    'a',
    '👩',
    'b',
    '👩c',
    '',
    '',
  ]);
  expect(characters.end()).toBe(high);
  expect(characters.end()).toBe('');
});

test('a lone half becomes the replacement character', () => {
  expect(toWellFormed('a\ud83d b\udc69 👩')).toBe('a\ufffd b\ufffd 👩');
});
