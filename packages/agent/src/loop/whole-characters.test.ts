import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { toWellFormed, WholeCharacters } from './whole-characters.js';

test('half a character waits for its other half', () => {
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

test('a half that stays alone is shown as what it is: no character', () => {
  expect(toWellFormed('a\ud83d b\udc69 👩')).toBe('a\ufffd b\ufffd 👩');
});
