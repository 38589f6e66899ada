import { readFile, writeFile } from 'node:fs/promises';
import { builtinCommands, CommandRegistry } from '@qwen/commands';
import { printCommandsPage } from './commands-page.ts';

// Updates the table in docs/commands.md; with --check, only reports whether it is up to date.

const file = new URL('../../../docs/commands.md', import.meta.url);
const before = await readFile(file, 'utf8');
const after = printCommandsPage(before, new CommandRegistry([builtinCommands()]).list());

if (!process.argv.includes('--check')) {
  await writeFile(file, after);
} else if (after !== before) {
  console.error('docs/commands.md is out of date. Run `pnpm --filter @qwen/commands page`.');
  process.exitCode = 1;
}
