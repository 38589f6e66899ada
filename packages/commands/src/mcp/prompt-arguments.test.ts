import { expect, test } from 'vitest';
import { readArguments } from './prompt-arguments.js';

const CITY_AND_DAY = [{ name: 'city' }, { name: 'day' }];

test.each([
  ['', {}],
  ['Oslo', { city: 'Oslo' }],
  ['Oslo next friday', { city: 'Oslo', day: 'next friday' }],
  ['"New York" today', { city: 'New York', day: 'today' }],
  ["--day='next friday' Oslo", { city: 'Oslo', day: 'next friday' }],
  ['--day=friday --city=Oslo', { city: 'Oslo', day: 'friday' }],
  ['--other=1 today', { city: '--other=1', day: 'today' }],
])('%s', (text, values) => {
  expect(readArguments(CITY_AND_DAY, text)).toEqual(values);
});

test('one parameter takes everything', () => {
  expect(readArguments([{ name: 'text' }], "it's a  long one")).toEqual({ text: expect.stringContaining('long one') });
});
