import type { CommandSpec, VerbSpec, WordFlag } from './command-spec.js';

const TERM_WIDTH = 30;

export function commandHelp(name: string, spec: CommandSpec, verb?: string): string {
  const one = verb === undefined || !Object.hasOwn(spec.verbs, verb) ? undefined : spec.verbs[verb];
  if (verb !== undefined && one !== undefined) {
    return join([`Usage: qwen ${name} ${usageOf(verb, one)}`, one.meaning, flagRows(one, 2)]);
  }
  const verbs = Object.entries(spec.verbs);
  const rows = verbs.map(([word, each]) => row(usageWords(word, each), each.meaning, 2) + flagRows(each, 6));
  const usages = [...(verbs.length === 0 ? [] : [`${name} COMMAND`]), ...(spec.own ? [usageOf(name, spec.own)] : [])];
  const usage = usages.map((words, index) => `${index === 0 ? 'Usage:' : '   or:'} qwen ${words}`).join('\n');
  return join([usage, spec.meaning, spec.own ? flagRows(spec.own, 2) : '', rows.join(''), spec.notes ?? '']);
}

function join(parts: readonly string[]): string {
  return parts
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
