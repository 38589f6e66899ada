import { verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import type { HintCommand, HintCommands } from './hint.js';
import { suggestCommands } from './slash-hints.js';

const command = (name: string, more: Partial<HintCommand> = {}): HintCommand => ({
  name,
  description: `About ${name}.`,
  completes: false,
  ...more,
});

const COMMANDS = [
  command('quit', { aliases: ['exit'] }),
  command('corgi'),
  command('copy'),
  command('compress', { aliases: ['summarize'] }),
  command('clear', { aliases: ['reset', 'new'] }),
  command('chat'),
  command('chat save'),
  command('chat resume', { aliases: ['load'], completes: true }),
  command('chat list'),
  command('help', { aliases: ['?', 'h'], completes: true }),
  command('Upper'),
];

const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  help: ['chat', 'chat list', 'clear'],
  'chat resume': ['first try', 'second'],
};

const commands: HintCommands = {
  list: () => COMMANDS,
  complete: async (name, partial) =>
    (ARGUMENTS[name] ?? []).filter((value) => value.startsWith(partial)).map((value) => ({ value })),
};

function suggest(text: string, cursor = text.length) {
  return suggestCommands({ promptId: 'p', trigger: 'slash', text, cursor, cwd: '/w' }, commands);
}

async function labels(text: string, cursor = text.length): Promise<string[]> {
  return (await suggest(text, cursor)).suggestions.map(({ label }) => label);
}

test('commands with the typed prefix are suggested by name, each with its description', async () => {
  verifies('G-16', 'G-18', 'G-03', 'G-04', 'S-22');
  expect(await suggest('/c')).toEqual({
    suggestions: ['chat', 'clear', 'compress', 'copy', 'corgi'].map((name) => ({
      label: name,
      value: name,
      description: `About ${name}.`,
    })),
    isPerfectMatch: false,
  });
});

test('an alias suggests its command with the index of the match', async () => {
  verifies('G-17', 'G-15');
  const help = { label: 'help', value: 'help', description: 'About help.', matchedIndex: 0 };
  expect(await suggest('/?')).toEqual({ suggestions: [help], isPerfectMatch: true });
  expect(await suggest('?')).toEqual({ suggestions: [help], isPerfectMatch: true });
  expect(await suggest('/exi')).toMatchObject({
    suggestions: [{ label: 'quit', matchedIndex: 0 }],
    isPerfectMatch: false,
  });
});

test('a whole name is a perfect match, even if longer names start with it', async () => {
  verifies('G-18');
  expect(await suggest('/chat')).toMatchObject({ isPerfectMatch: true });
  expect(await suggest('/CHAT')).toMatchObject({ isPerfectMatch: true });
  expect(await suggest('/chatt')).toEqual({ suggestions: [], isPerfectMatch: false });
  expect(await suggest('/')).toMatchObject({ isPerfectMatch: false });
});

describe('after a command', () => {
  test.each([
    ['/chat ', ['list', 'resume', 'save']],
    ['/chat  s', ['save']],
    ['/chat lo', ['resume']],
    ['/CHAT RES', ['resume']],
    ['/help ch', ['chat', 'chat list']],
    ['/? cl', ['clear']],
    ['? cl', ['clear']],
    ['/chat resume ', ['first try', 'second']],
    ['/chat load first t', ['first try']],
    ['/clear ', []],
    ['/clear chat ', []],
    ['/nonsense ch', []],
  ])('%s', async (text, expected) => {
    verifies('G-20');
    expect(await labels(text)).toEqual(expected);
  });

  test('a whole argument is a perfect match', async () => {
    expect(await suggest('/chat resume second')).toMatchObject({ isPerfectMatch: true });
    expect(await suggest('/chat resume sec')).toMatchObject({ isPerfectMatch: false });
  });
});

test('text after the cursor is ignored', async () => {
  verifies('G-04');
  expect(await labels('/chat list', 4)).toEqual(['chat']);
  expect(await labels('/chat list', 8)).toEqual(['list']);
});

test('a text that is no command has no suggestions', async () => {
  expect(await labels('hello /c')).toEqual([]);
  expect(await labels('')).toEqual([]);
  expect(await labels('// c')).toEqual([]);
});

test('the list of commands is read for each query', async () => {
  const late: HintCommand[] = [];
  const growing: HintCommands = { list: () => late, complete: async () => [] };
  const query = { promptId: 'p', trigger: 'slash', text: '/l', cursor: 2, cwd: '/w' } as const;
  expect((await suggestCommands(query, growing)).suggestions).toEqual([]);
  late.push(command('late'));
  expect((await suggestCommands(query, growing)).suggestions).toHaveLength(1);
});
