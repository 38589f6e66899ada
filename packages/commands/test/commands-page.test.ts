import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { printCommandsPage } from '../scripts/commands-page.js';
import { builtinCommands, CommandRegistry } from '../src/index.js';

test('docs/commands.md lists the registered commands', () => {
  const page = readFileSync(new URL('../../../docs/commands.md', import.meta.url), 'utf8');
  expect(printCommandsPage(page, new CommandRegistry([builtinCommands()]).list())).toBe(page);
});

test('a page without the table markers is an error', () => {
  expect(() => printCommandsPage('# Commands\n', [])).toThrow('has no table markers');
});
