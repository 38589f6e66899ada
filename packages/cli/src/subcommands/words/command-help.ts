import type { CommandSpec, VerbSpec, WordFlag } from './command-spec.js';

const TERM_WIDTH = 30;

export function commandHelp(name: string, spec: CommandSpec, verb?: string): string {
  const one = verb === undefined || !Object.hasOwn(spec.verbs, verb) ? undefined : spec.verbs[verb];
  if (verb !== undefined && one !== undefined) {
    return `Usage: qwen ${name} ${usageOf(verb, one)}\n\n${one.meaning}\n${flagRows(one, 2)}`;
  }
  const own = spec.own === undefined ? [] : [`Usage: qwen ${usageOf(name, spec.own)}`, flagRows(spec.own, 2)];
  const verbs = Object.entries(spec.verbs);
  const rows = verbs.map(([word, each]) => row(usageWords(word, each), each.meaning, 2) + flagRows(each, 6));
  return [
    ...(verbs.length === 0 ? [] : [`Usage: qwen ${name} COMMAND${spec.own === undefined ? '' : ', or:'}`]),
    ...own,
    spec.meaning,
    ...(rows.length === 0 ? [] : [rows.join('')]),
    ...(spec.notes === undefined ? [] : [`${spec.notes}\n`]),
  ]
    .map((part) => part.replace(/\n$/, ''))
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function usageOf(word: string, spec: VerbSpec): string {
  return `${usageWords(word, spec)}${Object.keys(spec.flags).length === 0 ? '' : ' [flags]'}`;
}

function usageWords(word: string, { words = '' }: VerbSpec): string {
  return `${word} ${words}`.trimEnd();
}

function flagRows({ flags }: VerbSpec, indent: number): string {
  return Object.entries(flags)
    .filter(([, flag]) => flag.isAlias !== true)
    .map(([name, flag]) => row(flagTerm(name, flag), flag.meaning, indent))
    .join('');
}

function flagTerm(name: string, { short, value, choices, type }: WordFlag): string {
  const of = choices?.join('|') ?? value ?? (type === 'string' ? 'VALUE' : undefined);
  return `${short === undefined ? '' : `-${short}, `}--${name}${of === undefined ? '' : ` ${of}`}`;
}

function row(term: string, meaning: string, indent: number): string {
  const begin = `${' '.repeat(indent)}${term}`;
  const width = TERM_WIDTH + 2;
  return begin.length > TERM_WIDTH
    ? `${begin}\n${' '.repeat(width)}${meaning}\n`
    : `${begin.padEnd(width)}${meaning}\n`;
}
