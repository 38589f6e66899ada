import { expect, test } from 'vitest';
import { chooseSurface } from './surface.js';
import { wantsScreen } from './wants-screen.js';

const TEXT = chooseSurface({}, {});
const BARE = { surface: TEXT, flags: {}, promptText: '', environment: { TERM: 'xterm' }, isTerminal: true };
const USAGE = expect.objectContaining({ code: 'usage' });

test('a terminal on both ends without a prompt opens the screen', () => {
  expect(wantsScreen(BARE)).toBe(true);
  expect(wantsScreen({ ...BARE, flags: { promptInteractive: 'Begin' } })).toBe(true);
});

test.each([
  { isTerminal: false },
  { promptText: 'Do it' },
  { flags: { prompt: '' } },
  { surface: chooseSurface({ outputFormat: 'json' }, {}) },
  { surface: chooseSurface({ outputFormat: 'stream-json', inputFormat: 'stream-json' }, {}) },
])('anything else does not: %o', (differs) => {
  expect(wantsScreen({ ...BARE, ...differs })).toBe(false);
});

test.each([
  { environment: { TERM: 'dumb' } },
  { flags: { promptInteractive: 'Begin' }, isTerminal: false },
  { flags: { promptInteractive: 'Begin' }, promptText: 'Do it' },
])('an impossible screen is an error: %o', (differs) => {
  expect(() => wantsScreen({ ...BARE, ...differs })).toThrow(USAGE);
});

test('a dumb terminal still answers a prompt', () => {
  expect(wantsScreen({ ...BARE, environment: { TERM: 'dumb' }, promptText: 'Do it' })).toBe(false);
});
