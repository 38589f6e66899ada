import { FLAGS, type FlagKey } from '@qwen/host/flags/args.js';
import type { FlagSpec } from '@qwen/host/flags/flag-spec.js';
import { COMMAND_SPECS } from '../command-specs.js';
import { type CommandSpec, firstSentence, type VerbSpec, type WordKind } from '../words/command-spec.js';
import { FLAG_KINDS } from './flag-kinds.js';

export interface Candidate {
  readonly value: string;
  readonly meaning?: string;
}

/** Words looked up on demand: sessions, servers, models. */
export type FindWords = (kind: WordKind) => Promise<readonly Candidate[]>;

export interface Completion {
  readonly candidates: readonly Candidate[];
  readonly paths?: 'files' | 'folders';
}

interface AnyFlag {
  readonly names: readonly string[];
  readonly meaning: string;
  readonly takesValue: boolean;
  readonly choices?: readonly string[] | undefined;
  readonly kind?: WordKind | undefined;
}

const HELP: AnyFlag = { names: ['--help', '-h'], meaning: 'Print help.', takesValue: false };

/** Completes the last word, which may be empty. `words` excludes `qwen`. */
export async function complete(words: readonly string[], find: FindWords): Promise<Completion> {
  const current = words.at(-1) ?? '';
  const [name = '', ...before] = words.slice(0, -1);
  const spec = Object.hasOwn(COMMAND_SPECS, name) ? COMMAND_SPECS[name] : undefined;
  if (spec === undefined) {
    const isFirst = words.length === 1;
    const commands = isFirst ? commandWords() : [];
    return completeWith({ flags: ownFlags(), before: words.slice(0, -1), find, plain: () => commands }, current);
  }
  return completeCommand({ spec, before, find }, current);
}

export function commandWords(): readonly Candidate[] {
  return Object.entries(COMMAND_SPECS).map(([value, spec]) => ({ value, meaning: firstSentence(spec) }));
}

interface CommandWords {
  readonly spec: CommandSpec;
  readonly before: readonly string[];
  readonly find: FindWords;
}

async function completeCommand({ spec, before, find }: CommandWords, current: string): Promise<Completion> {
  const [verb = '', ...further] = before;
  const verbs = Object.entries(spec.verbs);
  const chosen = Object.hasOwn(spec.verbs, verb) ? spec.verbs[verb] : undefined;
  if (chosen !== undefined) return completeVerb(chosen, { before: further, find }, current);
  if (spec.own !== undefined) return completeVerb(spec.own, { before, find }, current);
  const words = before.length === 0 ? verbs.map(([value, { meaning }]) => ({ value, meaning })) : [];
  return completeWith({ flags: [HELP], before, find, plain: () => words }, current);
}

async function completeVerb(
  { flags, completes = [] }: VerbSpec,
  { before, find }: Pick<CommandWords, 'before' | 'find'>,
  current: string,
): Promise<Completion> {
  const shown = Object.entries(flags).filter(([, flag]) => flag.isAlias !== true);
  const known = shown.map(
    ([name, flag]): AnyFlag => ({
      names: [`--${name}`, ...(flag.short === undefined ? [] : [`-${flag.short}`])],
      meaning: flag.meaning,
      takesValue: flag.type === 'string',
      choices: flag.choices,
      kind: flag.completes,
    }),
  );
  const plain = (place: number) => completes[Math.min(place, completes.length - 1)] ?? 'none';
  return completeWith({ flags: [...known, HELP], before, find, plain }, current);
}

interface WordContext {
  readonly flags: readonly AnyFlag[];
  readonly before: readonly string[];
  readonly find: FindWords;
  /** Candidates for the nth positional word. */
  readonly plain: (place: number) => WordKind | readonly Candidate[];
}

async function completeWith({ flags, before, find, plain }: WordContext, current: string): Promise<Completion> {
  const named = (word: string) => flags.find(({ names }) => names.includes(word));
  // Bash splits `--flag=value` into three words.
  const [last, lastButOne] = [before.at(-1) ?? '', before.at(-2) ?? ''];
  const flag = named(last === '=' ? lastButOne : last);
  if (flag?.takesValue === true && !current.startsWith('-')) return startingWith(current, await valuesOf(flag, find));
  const [, inline, begin = ''] = /^(--[\w-]+)=(.*)$/s.exec(current) ?? [];
  if (inline !== undefined) {
    const found = startingWith(begin, await valuesOf(named(inline), find));
    return { ...found, candidates: found.candidates.map(({ value }) => ({ value: `${inline}=${value}` })) };
  }
  if (current.startsWith('-')) {
    const names = flags.flatMap(({ names: [value = ''], meaning }) => [{ value, meaning }]);
    return startingWith(current, { candidates: names });
  }
  const isPlain = before.filter(
    (word, index) => !word.startsWith('-') && named(before[index - 1] ?? '')?.takesValue !== true,
  );
  const kind = plain(isPlain.length);
  return startingWith(current, typeof kind === 'string' ? await wordsOf(kind, find) : { candidates: kind });
}

async function valuesOf(flag: AnyFlag | undefined, find: FindWords): Promise<Completion> {
  if (flag?.choices !== undefined) return { candidates: flag.choices.map((value) => ({ value })) };
  return wordsOf(flag?.kind ?? 'none', find);
}

async function wordsOf(kind: WordKind, find: FindWords): Promise<Completion> {
  if (kind === 'file') return { candidates: [], paths: 'files' };
  if (kind === 'folder') return { candidates: [], paths: 'folders' };
  return { candidates: kind === 'none' ? [] : await find(kind) };
}

function startingWith(begin: string, { candidates, ...rest }: Completion): Completion {
  return { ...rest, candidates: candidates.filter(({ value }) => value.startsWith(begin)) };
}

function ownFlags(): readonly AnyFlag[] {
  const keys = Object.keys(FLAGS).filter((key): key is FlagKey => key in FLAGS);
  return keys.map((key) => {
    const spec: FlagSpec = FLAGS[key];
    const names = [spec.name, ...(spec.aliases ?? [])].map((name) => `--${name}`);
    return {
      names: spec.short === undefined ? names : [...names, `-${spec.short}`],
      meaning: spec.meaning,
      takesValue: spec.takes !== 'nothing' && (spec.takes !== 'optional' || FLAG_KINDS[key] !== undefined),
      choices: spec.choices,
      kind: FLAG_KINDS[key],
    };
  });
}
