import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { knownCommandNames } from './known-commands.js';

test('the names known at start are the built-in commands and the MCP prompts', () => {
  verifies('CF-40', 'CF-65');
  const names = knownCommandNames([{ connection: { prompts: [{ commandName: 'mcp__maps__route' }] } }, {}]);
  expect(names).toEqual(expect.arrayContaining(['about', 'clear', 'help', 'tools', 'mcp__maps__route']));
  expect(names).toEqual([...new Set(names)]);
  expect(names.filter((name) => name.includes(' '))).toEqual([]);
});
