import { expect, test } from 'vitest';
import { defined } from './defined.js';

test('only undefined members are left out', () => {
  const members = defined({ a: undefined, b: null, c: 0, d: '', e: false });
  expect(Object.keys(members)).toEqual(['b', 'c', 'd', 'e']);
});
