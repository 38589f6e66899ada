import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { fakeHost, said } from '../../test/fake-host.js';
import { builtinCommands, CommandRegistry } from '../index.js';

const registry = new CommandRegistry([builtinCommands()]);

test('the commands that users know are there, none in the way of another', () => {
  verifies('GAP-03', 'F-04');
  expect(registry.conflicts).toEqual([]);
  expect(registry.list().map(({ name }) => name)).toMatchInlineSnapshot(`
    [
      "about",
      "agents",
      "agents create",
      "agents list",
      "agents manage",
      "approval-mode",
      "auth",
      "bug",
      "chat",
      "chat delete",
      "chat list",
      "chat resume",
      "chat save",
      "chat share",
      "clear",
      "compress",
      "copy",
      "corgi",
      "directory",
      "directory add",
      "directory show",
      "docs",
      "editor",
      "export",
      "help",
      "hooks",
      "init",
      "mcp",
      "mcp auth",
      "mcp desc",
      "mcp list",
      "mcp refresh",
      "mcp schema",
      "memory",
      "memory add",
      "memory list",
      "memory refresh",
      "memory show",
      "model",
      "permissions",
      "privacy",
      "quit",
      "resume",
      "settings",
      "stats",
      "stats model",
      "stats tools",
      "summary",
      "theme",
      "tools",
      "tools desc",
      "tools nodesc",
      "tools run",
    ]
  `);
});

test.each([
  ['status', 'about'],
  ['reset', 'clear'],
  ['new', 'clear'],
  ['summarize', 'compress'],
  ['dir', 'directory'],
  ['?', 'help'],
  ['exit', 'quit'],
  ['sessions', 'resume'],
  ['chat load', 'chat resume'],
])('/%s is /%s', (alias, name) => {
  expect(registry.find(alias)?.name).toBe(name);
});

test('each has one line about itself, as the documents have it where they do', () => {
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

test('corgi mode comes and goes, for each session by itself', async () => {
  const fake = fakeHost();
  const corgi = registry.find('corgi');
  const call = {
    args: '',
    raw: '/corgi',
    approvedCommands: [],
    signal: new AbortController().signal,
    commands: [],
    conflicts: [],
  };
  expect(await corgi?.run(call, fake.host)).toMatchObject({ content: expect.stringContaining('Corgi mode is on.') });
  expect(await corgi?.run(call, fake.host)).toMatchObject({ content: 'Corgi mode is off.' });
  await corgi?.run(call, fake.host);
  expect(await said('/corgi', fake)).toContain('Corgi mode is on.');
});
