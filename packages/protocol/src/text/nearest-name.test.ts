import { expect, test } from 'vitest';
import { nearestName } from './nearest-name.js';

const NAMES = ['help', 'chat', 'clear', 'compress', 'mcp'];

test.each([
  ['clera', 'clear'],
  ['COMPRES', 'compress'],
  ['hepl', 'help'],
  ['cht', 'chat'],
  ['xyz', undefined],
  ['m', undefined],
  ['', undefined],
  ['clear'.repeat(20), undefined],
])('%s: %s', (typed, meant) => {
  expect(nearestName(typed, NAMES)).toBe(meant);
});
