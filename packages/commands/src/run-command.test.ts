import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { fakeHost, typeIn } from '../test/fake-host.js';
import { builtinCommands, type Command, CommandRegistry, parseCommandLine, runCommand } from './index.js';

const registry = new CommandRegistry([builtinCommands()]);

test('a typed line and an explicit path run the same command', async () => {
  verifies('F-06', 'F-08', 'F-09', 'F-12', 'F-13', 'CF-24');
  const { host } = fakeHost();
  const ways = [
    { path: ['chat', 'list'], args: '' },
    { path: ['chat'], args: 'list' },
    { path: ['chat list'], args: '' },
    { path: ['CHAT', 'List'], args: '  ', raw: 'anything' },
  ];
  for (const way of ways) {
    expect(await runCommand(registry, way, host)).toEqual({
      path: ['chat', 'list'],
      args: '',
      outcome: { type: 'message', level: 'info', content: 'There are no saved checkpoints.' },
    });
  }
});

test('aliases are resolved, and words that name no subcommand are arguments', async () => {
  const fake = fakeHost();
  const run = await runCommand(registry, { path: ['dir', 'add'], args: ' sub ' }, fake.host);
  expect(run).toMatchObject({ path: ['directory', 'add'], args: 'sub', outcome: { content: 'Added /work/sub' } });
  expect(await runCommand(registry, { path: ['model', 'qwen-max'], args: '' }, fake.host)).toMatchObject({
    path: ['model'],
    args: 'qwen-max',
  });
});

test('an unknown name is an error with a suggestion', async () => {
  verifies('GAP-26');
  const fake = fakeHost();
  expect(await typeIn('/x', fake)).toEqual({
    type: 'message',
    level: 'error',
    code: 'unknown_command',
    content: 'Unknown command: /x',
  });
  expect(await typeIn('/cler now', fake)).toMatchObject({ content: 'Unknown command: /cler', suggestion: 'clear' });
  expect(await typeIn('/chat lst', fake)).toMatchObject({ level: 'error', content: 'Unknown command: /chat lst' });
  expect(await typeIn('/stats all', fake)).toMatchObject({ content: 'Unknown command: /stats all' });
});

test('any thrown value becomes an error message', async () => {
  verifies('F-16', 'F-21');
  const { host } = fakeHost();
  const broken = fakeHost({ session: { ...host.session, clear: () => Promise.reject(new Error('disk gone')) } });
  expect(await typeIn('/clear', broken)).toEqual({
    type: 'message',
    level: 'error',
    code: 'internal',
    content: 'disk gone',
  });
  const thrower: Command = {
    name: 'bad',
    description: '',
    kind: 'file',
    run: () => {
      throw new Error('at once');
    },
  };
  expect(await typeIn('/bad', broken, { sources: [{ list: () => [thrower] }] })).toMatchObject({ content: 'at once' });
});

test('a cancelled command only reports that', async () => {
  const abort = new AbortController();
  const { host } = fakeHost();
  const mcp = {
    ...host.mcp,
    signIn: async (_name: string, signal: AbortSignal) => {
      abort.abort();
      signal.throwIfAborted();
    },
  };
  expect(await typeIn('/mcp auth mail', fakeHost({ mcp }), { signal: abort.signal })).toEqual({
    type: 'message',
    level: 'error',
    code: 'cancelled',
    content: 'Cancelled.',
  });
});

test('control characters in output are escaped', async () => {
  const { host } = fakeHost();
  const hooks = { list: async () => [{ event: 'Stop', action: 'say \u001b]0;x\u0007\u202e' }] };
  expect(await typeIn('/hooks', fakeHost({ ...host, hooks }))).toMatchObject({
    content: String.raw`Hooks:
  Stop: say \u001b]0;x\u0007\u202e`,
  });
});

test('a dialog opens if the host has dialogs, otherwise its text is returned', async () => {
  verifies('F-22', 'GAP-24');
  const dialogs = fakeHost({ surface: { showsDialogs: true, confirmsQuit: false } });
  const asked = {
    '/auth': 'auth',
    '/theme': 'theme',
    '/editor': 'editor',
    '/privacy': 'privacy',
    '/settings': 'settings',
    '/model': 'model',
    '/agents create': 'subagent_create',
    '/agents manage': 'subagent_list',
    '/help': 'help',
  };
  for (const [text, dialog] of Object.entries(asked)) {
    const outcome = await typeIn(text, dialogs);
    expect(outcome).toMatchObject({ type: 'dialog', dialog });
    const content = outcome.type === 'dialog' ? outcome.content : '';
    expect(content).not.toBe('');
    expect(await typeIn(text, fakeHost())).toEqual({ type: 'message', level: 'info', content });
  }
});

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
])('%j is a prompt', (text) => {
  verifies('CF-67');
  expect(parseCommandLine(text, registry)).toBeUndefined();
});
