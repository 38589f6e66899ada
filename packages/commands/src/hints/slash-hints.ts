import type { HintCommand, HintCommands, HintQuery, HintSuggestion } from './hint.js';

export interface Suggestions {
  readonly suggestions: readonly HintSuggestion[];
  readonly isPerfectMatch: boolean;
}

const NOTHING: Suggestions = { suggestions: [], isPerfectMatch: false };

/** For the text before the cursor. A leading `?` means `/?`. Rejects if a command fails to complete its arguments. */
export async function suggestCommands(query: HintQuery, commands: HintCommands): Promise<Suggestions> {
  const typed = readTyped(query.text.slice(0, query.cursor));
  if (typed === undefined) return NOTHING;
  const all = commands.list();
  let parent: HintCommand | undefined;
  let rest = typed;
  for (let word = /^(\S+)\s+/.exec(rest); word !== null; word = /^(\S+)\s+/.exec(rest)) {
    const named = word[1]?.toLowerCase() ?? '';
    const child = childrenOf(parent, all).find((command) => wordsOf(command).includes(named));
    if (child === undefined) break;
    parent = child;
    rest = rest.slice(word[0].length);
  }
  const children = /\s/.test(rest) ? NOTHING : suggestChildren(parent, rest.toLowerCase(), all);
  if (parent === undefined || !parent.completes) return children;
  const completions = (await commands.complete(parent.name, rest)).map(
    ({ value, description }): HintSuggestion => ({ label: value, value, description }),
  );
  return {
    suggestions: [...children.suggestions, ...completions],
    isPerfectMatch: children.isPerfectMatch || completions.some(({ value }) => value === rest),
  };
}

/** The text after the slash; undefined if it is not a command. */
function readTyped(text: string): string | undefined {
  const line = text.trimStart();
  if (line.startsWith('?')) return `? ${line.slice(1).trimStart()}`.replace(/ $/, '');
  return line.startsWith('/') ? line.slice(1) : undefined;
}

function suggestChildren(parent: HintCommand | undefined, typed: string, all: readonly HintCommand[]): Suggestions {
  const matching = childrenOf(parent, all).filter((command) => wordsOf(command).some((word) => word.startsWith(typed)));
  return {
    suggestions: matching.map((command) => toSuggestion(command, typed)).toSorted(byLabel),
    isPerfectMatch: typed !== '' && matching.some((command) => wordsOf(command).includes(typed)),
  };
}

function toSuggestion(command: HintCommand, typed: string): HintSuggestion {
  const label = lastWord(command.name);
  const viaAlias = !label.toLowerCase().startsWith(typed);
  const suggestion = { label, value: label, description: command.description };
  return viaAlias ? { ...suggestion, matchedIndex: 0 } : suggestion;
}

function childrenOf(parent: HintCommand | undefined, all: readonly HintCommand[]): HintCommand[] {
  const prefix = parent === undefined ? '' : `${parent.name} `;
  return all.filter(({ name }) => name.startsWith(prefix) && !name.slice(prefix.length).includes(' '));
}

function wordsOf({ name, aliases = [] }: HintCommand): string[] {
  return [lastWord(name), ...aliases].map((word) => word.toLowerCase());
}

function lastWord(name: string): string {
  return name.slice(name.lastIndexOf(' ') + 1);
}

function byLabel(one: HintSuggestion, other: HintSuggestion): number {
  return one.label.localeCompare(other.label, 'en');
}
