import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { builtinCommands, CommandRegistry, parseCommandLine } from './index.js';

const registry = new CommandRegistry([builtinCommands()]);

test.each([
  ['/clear', ['clear'], ''],
  ['  /chat list \n', ['chat'], 'list'],
  ['/init\nlook at tests\ntoo', ['init'], 'look at tests\ntoo'],
  ['/no-such thing', ['no-such'], 'thing'],
  ['/größe', ['größe'], ''],
  ['/', [''], ''],
])('%j is a command', (text, path, args) => {
  verifies('F-01', 'F-04');
  expect(parseCommandLine(text, registry)).toEqual({ path, args, raw: text.trim() });
});

test.each([
  ['?', ''],
  [' ? ', ''],
  ['?chat', 'chat'],
  ['? chat list', 'chat list'],
  ['/?', ''],
  ['/? chat', 'chat'],
])('%j asks for help', (text, args) => {
  verifies('CF-67', 'F-01');
  expect(parseCommandLine(text, registry)).toMatchObject({ path: ['help'], args });
});

test.each([
  'Hello',
  'see /clear',
  '// a comment',
  '/* a comment */',
  '/usr/bin/env is missing',
  '/work/a.ts',
  '?why is this',
  '?? what',
  '? is a ternary',
  '',
])('%j is something to say', (text) => {
  verifies('CF-67');
  expect(parseCommandLine(text, registry)).toBeUndefined();
});
