/** Longer commands are not read at all (S18). */
export const MAX_COMMAND_CHARACTERS = 100_000;

/**
 * What the shell still makes of a word: nothing; the value of a plain variable or the home folder; file names; or
 * anything at all.
 */
export type WordCertainty = 'fixed' | 'variable' | 'glob' | 'open';

/** A word of a command. */
export interface ShellWord {
  /** Without quotes and backslashes; expansions stand as they were written. */
  readonly text: string;
  readonly certainty: WordCertainty;
  /** Whether it was written just so, without quotes. */
  readonly isBare: boolean;
}

/** One simple command: a program with its arguments. */
export interface ShellCommand {
  readonly words: readonly ShellWord[];
  /** `NAME=value` before the command, or alone. */
  readonly assignments: readonly ShellWord[];
  /**
   * The folders it may run in, absolute and by the text alone; undefined when that is known only when it runs. The
   * first is the folder in which everything begins.
   */
  readonly folders: readonly string[] | undefined;
  /** Files that it reads when all it does is look; undefined when it may do more than that. Absolute. */
  readonly readOnlyFiles: readonly string[] | undefined;
  /**
   * How many of its first words a rule must spell out to allow it: one for most, more where later words make it run
   * another program, write a file or open a protected place (S10–S13, S39).
   */
  readonly requiredWords: number;
  /** The command that it starts, where it is a wrapper that adds nothing of its own, such as `timeout 5`. */
  readonly wraps?: ShellCommand;
}

/** A file that a redirection opens. */
export interface ShellFile {
  /** Absolute, as the shell would open it; undefined when that is known only when it runs. */
  readonly path: string | undefined;
  /** As it was written. */
  readonly shown: string;
  readonly access: 'read' | 'write';
}

/** What a shell command does, as far as its text tells. */
export interface ShellReading {
  /** Every simple command, wherever it stands: lists, pipes, loops, functions, substitutions. */
  readonly commands: readonly ShellCommand[];
  /** Every script inside of a word, such as that of `sh -c`: what a rule that forbids is tried on too. */
  readonly inner: readonly ShellCommand[];
  readonly files: readonly ShellFile[];
  /** Texts that programs get without a word of their own, such as here-documents. */
  readonly texts: readonly string[];
  /** Why its commands do not tell all that it does: then no rule can allow it by its parts. */
  readonly obstacle: string | undefined;
  /** Why even what it runs is not known: then a rule that forbids may be meant. */
  readonly unclear: string | undefined;
}

/** A command that was not read, because it is too long, or cannot be. */
export function unreadable(reason: string): ShellReading {
  return { commands: [], inner: [], files: [], texts: [], obstacle: reason, unclear: reason };
}

/** The last name of a path: `/bin/rm` is `rm` to a rule that forbids. */
export function baseName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

/** The words in one line, words with blanks or quotes in quotes: what rules are compared with, and what is shown. */
export function commandText({ assignments, words }: Pick<ShellCommand, 'assignments' | 'words'>): string {
  return [...assignments, ...words].map((word) => quoted(word.text)).join(' ');
}

function quoted(text: string): string {
  return /^[^\s'"\\]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
