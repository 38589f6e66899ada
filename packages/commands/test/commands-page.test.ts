import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { printCommandsPage } from '../scripts/commands-page.js';
import { builtinCommands, CommandRegistry } from '../src/index.js';

test('the page lists the commands that there are', () => {
  const page = readFileSync(new URL('../../../docs/commands.md', import.meta.url), 'utf8');
  expect(printCommandsPage(page, new CommandRegistry([builtinCommands()]).list())).toBe(page);
});

test('a page without a place for the table is refused', () => {
  expect(() => printCommandsPage('# Commands\n', [])).toThrow('lost its marks');
});
