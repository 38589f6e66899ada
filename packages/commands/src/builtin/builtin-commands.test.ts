import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { fakeHost, messageOf } from '../../test/fake-host.js';
import { builtinCommands, type CommandHost, CommandRegistry } from '../index.js';

const registry = new CommandRegistry([builtinCommands()]);

test('the commands that users rely on exist, and no two share a name', () => {
  verifies('GAP-03', 'F-04');
  expect(registry.conflicts).toEqual([]);
  // docs/commands.md has the whole list.
  expect(registry.list().map(({ name }) => name)).toEqual(
    expect.arrayContaining(
      (
        'about,agents,approval-mode,auth,chat,chat delete,chat list,chat resume,chat save,clear,compress,copy,corgi,' +
        'directory,directory add,directory show,editor,help,init,mcp,memory,model,privacy,quit,settings,stats,theme,tools'
      ).split(','),
    ),
  );
});

test.each([
  ['status', 'about'],
  ['reset', 'clear'],
  ['new', 'clear'],
  ['compact', 'compress'],
  ['summarize', 'compress'],
  ['cost', 'stats'],
  ['dir', 'directory'],
  ['?', 'help'],
  ['exit', 'quit'],
  ['sessions', 'resume'],
  ['chat load', 'chat resume'],
])('/%s is /%s', (alias, name) => {
  expect(registry.find(alias)?.name).toBe(name);
});

test('each command has a one-line description, and those in the specification match it', () => {
  verifies('GAP-03');
  for (const { description } of registry.list()) expect(description).toMatch(/^\S[^\n]{8,90}\S$/);
  const words = (name: string) => registry.find(name)?.description;
  expect(['chat', 'clear', 'compress', 'copy', 'corgi', 'help'].map(words)).toEqual([
    'Manage conversation history.',
    'Clear the screen and conversation history',
    'Compresses the context by replacing it with a summary.',
    'Copy the last result or code snippet to clipboard',
    'Toggles corgi mode.',
    'For help on Qwen Code',
  ]);
});

test('empty lists are reported', async () => {
  const { host } = fakeHost();
  const nothing: Partial<CommandHost> = {
    hooks: { list: async () => [] },
    permissions: { ...host.permissions, rules: async () => [] },
    agents: { list: async () => [] },
    tools: { list: async () => [] },
    mcp: { ...host.mcp, list: async () => [] },
    memory: { ...host.memory, list: async () => [] },
    storedSessions: { ...host.storedSessions, list: async () => [] },
  };
  for (const text of ['/hooks', '/permissions', '/agents list', '/tools', '/mcp', '/mcp auth', '/mcp refresh']) {
    expect(await messageOf(text, fakeHost(nothing))).toMatch(/There are no|No MCP server requires/);
  }
  for (const text of ['/memory show', '/memory list'])
    expect(await messageOf(text, fakeHost(nothing))).toContain('There are no instructions');
  expect(await messageOf('/resume', fakeHost(nothing))).toBe('There are no earlier sessions.');
});

test.each([
  ['export', 'j', ['json', 'jsonl']],
  ['approval-mode', '', ['default', 'plan', 'auto-edit', 'yolo']],
  ['model', 'QWEN-M', ['qwen-max']],
  ['resume', 's', ['s-1', 's-0']],
  ['mcp auth', 'm', ['maps', 'mail']],
  ['memory add', '--g', ['--global ']],
  ['tools run', 'read', ['read_file']],
  ['help', 'chat l', ['chat list']],
  ['copy', '', ['code']],
])('/%s completes "%s"', async (name, partial, values) => {
  const sources = { host: fakeHost().host, commands: registry.list() };
  const found = await registry.find(name)?.complete?.(partial, sources);
  expect(found?.map(({ value }) => value)).toEqual(values);
});
