import type { Folders } from './folder-track.js';
import { guardedWords } from './guarded-words.js';
import { looksAt } from './read-only.js';
import type { ShellCommand, ShellWord } from './shell-reading.js';
import { wrappedAt } from './wrappers.js';

/** What the grammar knows of a simple command. */
export interface CommandParts {
  readonly words: readonly ShellWord[];
  readonly assignments: readonly ShellWord[];
  readonly folders: Folders;
}

/** Says of a simple command what rules and modes need to know. */
export function describeCommand({ words, assignments, folders }: CommandParts): ShellCommand {
  const looks = assignments.length === 0 ? looksAt(words, folders) : undefined;
  const at = wrappedAt(words);
  return {
    words,
    assignments,
    folders,
    looksAt: looks,
    mustName: looks === undefined ? guardedWords(words) : 1,
    ...(at !== undefined && { wraps: describeCommand({ words: words.slice(at), assignments: [], folders }) }),
  };
}
