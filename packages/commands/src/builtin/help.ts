import type { Command, CommandConflict, CommandKind } from '../command.js';
import { failure, info } from '../command-outcome.js';
import { commandLine, startingWith, usageOf } from './command-parts.js';

const HEADINGS: Readonly<Record<CommandKind, string>> = {
  'built-in': 'Commands:',
  file: 'Custom commands:',
  'mcp-prompt': 'MCP prompts:',
};
const KINDS = ['built-in', 'file', 'mcp-prompt'] as const;

export const helpCommand: Command = {
  name: 'help',
  description: 'For help on Qwen Code',
  aliases: ['?'],
  kind: 'built-in',
  usage: '[COMMAND]',
  run: async ({ args, commands, conflicts }) => {
    if (args === '') return { type: 'dialog', dialog: 'help', content: overview(commands, conflicts) };
    const name = args.replace(/^\//, '').replaceAll(/\s+/g, ' ').toLowerCase();
    const command = commands.find((one) => namesOf(one).includes(name));
    if (command === undefined) return failure('unknown_command', `Unknown command: /${name}`);
    return info(describe(command, commands));
  },
  complete: async (partial, { commands }) =>
    startingWith(
      partial,
      commands.map(({ name, description }) => ({ value: name, description })),
    ),
};

function overview(commands: readonly Command[], conflicts: readonly CommandConflict[]): string {
  const skipped = conflicts.map(({ command: { name, kind }, reason }) => `  /${name} (${kind}): ${reason}`);
  const parts = KINDS.map((kind) => ({ kind, lines: commands.filter((one) => one.kind === kind).map(commandLine) }));
  return [
    ...parts
      .filter(({ lines }) => lines.length > 0)
      .map(({ kind, lines }) => [HEADINGS[kind], ...lines.map((line) => `  ${line}`)].join('\n')),
    ...(skipped.length === 0 ? [] : [['Skipped:', ...skipped].join('\n')]),
    'Refer to files in a prompt with @: @src/index.ts, @src/**/*.ts, @docs/.',
  ].join('\n\n');
}

function describe(command: Command, commands: readonly Command[]): string {
  const { name, description, aliases = [] } = command;
  const parent = name.split(' ').slice(0, -1).join(' ');
  const more = commands.filter((one) => one.name.startsWith(`${name} `));
  return [
    usageOf(command),
    description,
    ...(aliases.length === 0
      ? []
      : [`Aliases: ${aliases.map((alias) => `/${`${parent} ${alias}`.trim()}`).join(', ')}`]),
    ...(more.length === 0 ? [] : ['Subcommands:', ...more.map((one) => `  ${commandLine(one)}`)]),
  ].join('\n');
}

function namesOf({ name, aliases = [] }: Command): string[] {
  const parent = name.split(' ').slice(0, -1).join(' ');
  return [name, ...aliases.map((alias) => `${parent} ${alias}`.trim())].map((one) => one.toLowerCase());
}
