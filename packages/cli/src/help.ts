import { VARIABLES } from '@qwen/host/config/variables.js';
import { FLAGS } from '@qwen/host/flags/args.js';
import { FLAG_GROUPS, type FlagSpec } from '@qwen/host/flags/flag-spec.js';
import { COMMAND_SPECS } from './subcommands/command-specs.js';
import { firstSentence } from './subcommands/words/command-spec.js';

const SPECS: readonly FlagSpec[] = Object.values(FLAGS);

export function helpText(): string {
  const flags = FLAG_GROUPS.map((group) => {
    const rows = SPECS.filter((spec) => spec.group === group).map((spec) => row(flagTerm(spec), spec.meaning));
    return `${group}:\n${rows.join('\n')}`;
  });
  const subcommands = Object.entries(COMMAND_SPECS).map(([name, spec]) => row(name, firstSentence(spec)));
  const variables = Object.entries(VARIABLES).map(([name, meaning]) => row(name, meaning));
  return [
    'qwen: a coding agent for the terminal, scripts and apps.',
    'Usage: qwen [flags] ["prompt"]\n       command | qwen [flags] -p ["prompt"]\n       qwen SUBCOMMAND [arguments]',
    `Subcommands (see qwen SUBCOMMAND --help):\n${subcommands.join('\n')}`,
    ...flags,
    `Environment:\n${variables.join('\n')}`,
    'Exit codes: 0 success, 1 failure, 2 usage error, 3 unsupported protocol version, 4 Node.js too old, 129/130/143 signal.\n',
  ].join('\n\n');
}

function flagTerm(spec: FlagSpec): string {
  const short = spec.short === undefined ? '' : `-${spec.short}, `;
  const value = spec.choices?.join('|') ?? spec.value;
  const others = (spec.aliases ?? []).map((name) => `, --${name}`).join('');
  return `${short}--${spec.name}${others}${value === undefined ? '' : ` ${value}`}`;
}

function row(term: string, meaning: string): string {
  return term.length > 26 ? `  ${term}\n${' '.repeat(30)}${meaning}` : `  ${term.padEnd(28)}${meaning}`;
}
