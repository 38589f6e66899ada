import { guardedWords } from './guarded-words.js';
import { type CommandPlace, looksAt } from './read-only.js';
import type { ShellCommand, ShellWord } from './shell-reading.js';
import { wrappedAt } from './wrappers.js';

/** What the grammar knows of a simple command. */
export interface CommandParts {
  readonly words: readonly ShellWord[];
  readonly assignments: readonly ShellWord[];
  readonly place: CommandPlace;
}

/** Says of a simple command what rules and modes need to know. */
export function describeCommand({ words, assignments, place }: CommandParts): ShellCommand {
  const looks = assignments.length === 0 ? looksAt(words, place) : undefined;
  const at = wrappedAt(words);
  return {
    words,
    assignments,
    folders: place.folders,
    looksAt: looks,
    mustName: looks === undefined ? guardedWords(words) : 1,
    ...(at !== undefined && { wraps: describeCommand({ words: words.slice(at), assignments: [], place }) }),
  };
}
