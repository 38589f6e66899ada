import { expect, test } from 'vitest';
import type { Environment } from './env.js';
import { lookOf } from './terminal-look.js';

const COLOURED = { hasColours: true, isScreen: true };
const PLAIN = { hasColours: false, isScreen: true };
const PIPED = { hasColours: false, isScreen: false };

test.each<[boolean, Environment, object]>([
  [true, {}, COLOURED],
  [true, { TERM: 'xterm-256color' }, COLOURED],
  [true, { TERM: 'dumb' }, PLAIN],
  [true, { NO_COLOR: '1' }, PLAIN],
  [true, { FORCE_COLOR: '0' }, PLAIN],
  [true, { FORCE_COLOR: 'false' }, PLAIN],
  [true, { FORCE_COLOR: '1', NO_COLOR: '1', TERM: 'dumb' }, COLOURED],
  [false, {}, PIPED],
  [false, { TERM: 'xterm' }, PIPED],
  [false, { FORCE_COLOR: '1' }, COLOURED],
  [false, { FORCE_COLOR: '0' }, PIPED],
])('a terminal (%j) with %j', (isTTY, environment, look) => {
  expect(lookOf(isTTY ? { isTTY } : {}, environment)).toEqual(look);
});
