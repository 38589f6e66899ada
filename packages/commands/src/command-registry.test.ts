import { expect, test } from 'vitest';
import { type Command, type CommandKind, CommandRegistry } from './index.js';

function command(name: string, more: { aliases?: readonly string[]; kind?: CommandKind } = {}): Command {
  return { name, description: '', kind: 'built-in', run: async () => ({ type: 'handled' }), ...more };
}

const clear = command('clear', { aliases: ['reset'] });
const chat = command('chat');
const chatList = command('chat list');
const chatResume = command('chat resume', { aliases: ['load'] });
const directory = command('directory', { aliases: ['dir'] });
const directoryAdd = command('directory add');
const ALL = [clear, chatResume, chat, directory, chatList, directoryAdd];

function registryOf(...sources: (readonly Command[])[]) {
  return new CommandRegistry(sources.map((commands) => ({ list: () => commands })));
}

test('lists commands by name and reads the sources each time', () => {
  const commands = [clear];
  const registry = registryOf(commands);
  expect(registry.list()).toEqual([clear]);
  commands.push(chatList);
  expect(registry.list().map(({ name }) => name)).toEqual(['chat list', 'clear']);
});

test.each([
  ['Clear', clear],
  ['reset', clear],
  ['chat  LIST', chatList],
  ['chat load', chatResume],
  ['dir add', directoryAdd],
  ['res', undefined],
  ['load', undefined],
  ['chat list all', undefined],
  ['', undefined],
])('finds "%s"', (name, found) => {
  expect(registryOf(ALL).find(name)).toBe(found);
});

test('matches the longest command', () => {
  const registry = registryOf(ALL);
  expect(registry.match(['chat', 'load', 'x'])).toEqual({ command: chatResume, length: 2 });
  expect(registry.match(['chat', 'x'])).toEqual({ command: chat, length: 1 });
  expect(registry.match(['x', 'chat'])).toBeUndefined();
});

test('names and aliases of an earlier source take precedence; conflicts are reported', () => {
  const own = [
    command('CLEAR', { kind: 'file' }),
    command('reset', { kind: 'file' }),
    command('fine', { kind: 'file' }),
  ];
  const registry = registryOf([clear], own);
  expect(registry.list().map(({ name }) => name)).toEqual(['clear', 'fine']);
  expect(registry.conflicts.map(({ command: { name }, reason }) => [name, reason])).toEqual([
    ['CLEAR', '/clear (built-in) takes precedence'],
    ['reset', '/clear (built-in) takes precedence'],
  ]);
});

test.each(['/other', ' ', '', 'a  b', 'a/b', '?'])('a command called "%s" is invalid and reported', (name) => {
  const registry = registryOf([command(name)]);
  expect(registry.list()).toEqual([]);
  expect(registry.conflicts).toHaveLength(1);
});

test('disabled commands are left out, with aliases and subcommands', () => {
  const names = (...disabled: string[]) =>
    new CommandRegistry([{ list: () => ALL }], disabled).list().map(({ name }) => name);
  expect(names('/CLEAR', 'unknown')).toEqual(['chat', 'chat list', 'chat resume', 'directory', 'directory add']);
  expect(names('reset', 'chat', 'dir')).toEqual(['directory add']);
  expect(names('chat list')).toEqual(['chat', 'chat resume', 'clear', 'directory', 'directory add']);
});
