import type { Command } from '@qwen/commands';

const BEGIN = '<!-- printed by `pnpm --filter @qwen/commands page`; do not edit -->\n';
const END = '<!-- end -->\n';

/** Replaces the table of commands. Throws if the page has no table markers. */
export function printCommandsPage(page: string, commands: readonly Command[]): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END, begin);
  if (begin === -1 || end === -1) throw new Error('docs/commands.md has no table markers');
  const rows = commands.map(({ name, usage = '', description, aliases = [] }) => {
    const typed = `\`/${`${name} ${usage}`.trim()}\``;
    return `| ${[typed, description, aliases.map((alias) => `\`${alias}\``).join(', ')].map(toCell).join(' | ')} |\n`;
  });
  const table = ['\n| command | description | aliases |\n', '|---|---|---|\n', ...rows, '\n'].join('');
  return page.slice(0, begin + BEGIN.length) + table + page.slice(end);
}

function toCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
