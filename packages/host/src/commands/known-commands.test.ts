import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { knownCommandNames, needsCommands } from './known-commands.js';

test('the names known at start are the built-in commands and the MCP prompts', () => {
  verifies('CF-40', 'CF-65');
  const names = knownCommandNames([{ connection: { prompts: [{ commandName: 'mcp__maps__route' }] } }, {}]);
  expect(names).toEqual(expect.arrayContaining(['about', 'clear', 'help', 'tools', 'mcp__maps__route']));
  expect(names).toEqual([...new Set(names)]);
  expect(names.filter((name) => name.includes(' '))).toEqual([]);
});

test.each([
  ['a', false],
  ['a /path', false],
  [' /greet', true],
  ['?', true],
  ['see @a.ts', true],
  [[{ type: 'text' as const, text: 'see @b' }], true],
  [[{ type: 'text' as const, text: '/greet' }], false],
])('%j needs the commands of the session: %s', (content, expected) => {
  expect(needsCommands(content)).toBe(expected);
});

test('disabled commands are not offered, whether built-in or from an MCP server', () => {
  const servers = [{ connection: { prompts: [{ commandName: 'mcp__maps__route' }] } }];
  const names = knownCommandNames(servers, { disabledCommands: ['init', 'mcp__maps__route'] });
  expect(names).toEqual(knownCommandNames([]).filter((name) => name !== 'init'));
});
