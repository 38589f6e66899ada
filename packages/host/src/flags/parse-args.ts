import { AgentError } from '@qwen/protocol';
import { FLAGS, type FlagKey, type Flags } from './args.js';
import type { FlagSpec } from './flag-spec.js';
import { findUnsupportedFlag, NO_LIMIT } from './unsupported-flags.js';

export interface ParsedArgs {
  readonly flags: Flags;
  readonly words: readonly string[];
  readonly unknown: readonly string[];
  readonly notes: readonly string[];
}

const SPECS: readonly (readonly [FlagKey, FlagSpec])[] = Object.keys(FLAGS)
  .filter((key): key is FlagKey => key in FLAGS)
  .map((key) => [key, FLAGS[key]]);

/**
 * Parses argv: `--flag value` and `--flag=value`; after `--` everything is the prompt. Throws `usage` for a bad
 * value and for a known flag that must not be ignored. Unknown flags are collected: whether they are errors depends
 * on the channel.
 */
export function parseArgs(argv: readonly string[]): ParsedArgs {
  const values: Partial<Record<FlagKey, unknown>> = {};
  const words: string[] = [];
  const unknown: string[] = [];
  const notes: string[] = [];
  const rest = [...argv];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') {
      words.push(...rest);
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      words.push(word);
      continue;
    }
    const { name, inline } = split(word);
    const found = findFlag(word, name);
    if (found !== undefined) {
      const [key, spec] = found;
      values[key] = combine(spec, values[key], takeValue({ spec, word: word.split('=', 1)[0] ?? word, inline, rest }));
      continue;
    }
    const unsupported = findUnsupportedFlag(name);
    if (unsupported === undefined) {
      unknown.push(word.split('=', 1)[0] ?? word);
      // A plain word after an unknown flag is probably its value.
      if (inline === undefined && rest[0] !== undefined && !rest[0].startsWith('-')) rest.shift();
      continue;
    }
    const value = inline ?? (unsupported.takesValue ? rest.shift() : undefined);
    if (unsupported.handling === 'refuse' && value !== NO_LIMIT) {
      throw new AgentError('usage', `--${name} is not supported, and ignoring it would not be safe. Remove it.`);
    }
    if (unsupported.handling === 'note') notes.push(`--${name} has no effect in this version of qwen`);
  }
  return { flags: values as Flags, words, unknown, notes };
}

function split(word: string): { name: string; inline: string | undefined } {
  const bare = word.replace(/^--?/, '');
  const equals = bare.indexOf('=');
  return equals === -1
    ? { name: bare, inline: undefined }
    : { name: bare.slice(0, equals), inline: bare.slice(equals + 1) };
}

function findFlag(word: string, name: string): readonly [FlagKey, FlagSpec] | undefined {
  const long = word.startsWith('--');
  return SPECS.find(([, spec]) => (long ? spec.name === name || spec.aliases?.includes(name) : spec.short === name));
}

interface Taking {
  readonly spec: FlagSpec;
  readonly word: string;
  readonly inline: string | undefined;
  readonly rest: string[];
}

function takeValue({ spec, word, inline, rest }: Taking): string | number | boolean | readonly string[] | undefined {
  if (spec.takes === 'nothing') {
    if (inline === undefined || inline === 'true') return true;
    if (inline === 'false') return false;
    throw new AgentError('usage', `${word} takes no value`);
  }
  if (spec.takes === 'optional') {
    const follows = rest[0] !== undefined && !rest[0].startsWith('-');
    return inline ?? (follows ? rest.shift() : '');
  }
  const isAlone = inline === undefined && (rest[0] === undefined || rest[0].startsWith('-'));
  if (spec.alone !== undefined && isAlone) return spec.alone;
  const text = inline ?? rest.shift();
  if (text === undefined) throw new AgentError('usage', `${word} needs a value`);
  switch (spec.takes) {
    case 'integer':
      if (!/^-?\d{1,9}$/.test(text)) throw new AgentError('usage', `${word} needs a whole number, not "${text}"`);
      return Number(text);
    case 'choice':
      if (!spec.choices?.includes(text)) {
        const isPrompt = spec.alone !== undefined && inline === undefined;
        const hint = isPrompt ? `; before a prompt, write ${word}=${spec.alone}` : '';
        throw new AgentError('usage', `${word}: "${text}" is not one of ${spec.choices?.join(', ')}${hint}`);
      }
      return text;
    case 'list':
      return splitList(text);
    case 'repeated':
      return [text];
    case 'text':
      return text;
  }
}

/** A later value replaces an earlier one, unless the flag accumulates. */
function combine(spec: FlagSpec, earlier: unknown, value: unknown): unknown {
  const addsUp = spec.takes === 'list' || spec.takes === 'repeated';
  return addsUp && Array.isArray(earlier) && Array.isArray(value) ? [...earlier, ...value] : value;
}

/** `Bash(git log, x),Edit` is two rules. */
export function splitList(text: string): string[] {
  return text
    .split(/,(?![^()]*\))/)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
