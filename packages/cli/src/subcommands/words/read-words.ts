import { parseArgs } from 'node:util';
import { AgentError, nearestName } from '@qwen/protocol';
import type { WordFlag, WordFlags } from './command-spec.js';

type ValueOf<Flag extends WordFlag> = Flag['type'] extends 'boolean'
  ? boolean
  : Flag extends { readonly multiple: true }
    ? readonly string[]
    : Flag extends { readonly choices: readonly (infer Choice)[] }
      ? Choice
      : string;

export interface ReadWords<Given extends WordFlags> {
  readonly flags: { readonly [Name in keyof Given]?: ValueOf<Given[Name]> };
  readonly rest: readonly string[];
}

export interface ReadWordsOptions<Given extends WordFlags> {
  /** For messages, such as `sessions list`. */
  readonly command: string;
  readonly flags: Given;
  /** Refuse arguments that are not flags. Default false. */
  readonly onlyFlags?: boolean;
}

/** Throws `usage` with the invalid flag and a suggestion. */
export function readWords<const Given extends WordFlags>(
  words: readonly string[],
  { command, flags, onlyFlags = false }: ReadWordsOptions<Given>,
): ReadWords<Given> {
  const { tokens } = parseArgs({
    args: [...words],
    options: flags,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values: Record<string, boolean | string | string[]> = {};
  const rest: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') rest.push(token.value);
    if (token.kind !== 'option') continue;
    const flag = Object.hasOwn(flags, token.name) ? flags[token.name] : undefined;
    if (flag === undefined) throw unknownFlag(command, token.rawName, Object.keys(flags));
    const value = readValue(`${command}: ${token.rawName}`, flag, token.value);
    const earlier = values[token.name];
    const addsUp = flag.multiple === true && typeof value === 'string';
    values[token.name] = addsUp ? [...(Array.isArray(earlier) ? earlier : []), value] : value;
  }
  if (onlyFlags && rest.length > 0) {
    throw new AgentError('usage', `${command}: unexpected argument "${rest.join(' ')}"; see qwen ${command} --help`);
  }
  return { flags: values as ReadWords<Given>['flags'], rest };
}

function readValue(what: string, flag: WordFlag, value: string | undefined): boolean | string {
  if (flag.type === 'boolean') {
    if (value !== undefined) throw new AgentError('usage', `${what} takes no value`);
    return true;
  }
  if (value === undefined) throw new AgentError('usage', `${what} needs a value`);
  if (flag.choices?.includes(value) ?? true) return value;
  throw new AgentError('usage', `${what}: "${value}" is not one of ${flag.choices?.join(', ')}`);
}

function unknownFlag(command: string, name: string, known: readonly string[]): AgentError {
  const near = nearestName(name.replace(/^-+/, ''), known);
  const hint = near === undefined ? `see qwen ${command} --help` : `did you mean --${near}?`;
  return new AgentError('usage', `${command}: unknown flag ${name}; ${hint}`);
}
