import { AgentError, nearestName } from '@qwen/protocol';
import { commandHelp } from './command-help.js';
import type { CommandSpec } from './command-spec.js';

export type ChosenVerb<Verb extends string> =
  | { readonly kind: 'verb'; readonly verb: Verb; readonly words: readonly string[] }
  | { readonly kind: 'help'; readonly text: string };

const HELP_WORDS: readonly string[] = ['--help', '-h'];

/** No word, `help` or `--help` before `--` means help. Throws `usage` for an unknown verb, with a suggestion. */
export function chooseVerb<Verbs extends CommandSpec['verbs']>(
  name: string,
  spec: CommandSpec & { readonly verbs: Verbs },
  [first, ...words]: readonly string[],
): ChosenVerb<Extract<keyof Verbs, string>> {
  const own = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
  if (first === undefined || first === 'help' || [first, ...own].some((word) => HELP_WORDS.includes(word))) {
    return { kind: 'help', text: commandHelp(name, spec, first) };
  }
  const verbs = Object.keys(spec.verbs);
  const verb = verbs.find((word): word is Extract<keyof Verbs, string> => word === first);
  if (verb !== undefined) return { kind: 'verb', verb, words };
  const near = nearestName(first, verbs);
  const hint = near === undefined ? '' : `; did you mean "${near}"?`;
  throw new AgentError('usage', `${name}: "${first}" is not one of ${verbs.join(', ')}${hint}`);
}
