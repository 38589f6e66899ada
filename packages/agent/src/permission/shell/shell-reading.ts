import type { FoundFiles } from '../../ports.js';

export const MAX_COMMAND_CHARACTERS = 100_000;

/** What the shell expands: nothing; a plain variable or the home folder; file names; anything. */
export type WordCertainty = 'fixed' | 'variable' | 'glob' | 'open';

export interface ShellWord {
  /** Without quotes and backslashes; expansions as written. */
  readonly text: string;
  readonly certainty: WordCertainty;
  readonly isBare: boolean;
}

export interface ShellCommand {
  readonly words: readonly ShellWord[];
  /** `NAME=value` before the command, or alone. */
  readonly assignments: readonly ShellWord[];
  /** Absolute, by text alone; undefined if dynamic. The first is where the script starts. */
  readonly folders: readonly string[] | undefined;
  readonly readOnlyFiles: readonly string[] | undefined;
  /** Absolute patterns of files that it reads too. */
  readonly readOnlyPatterns?: readonly string[];
  /** Whether it prints files below its operands, links followed. */
  readonly followsLinks?: boolean;
  /** `reading` if git only shows something; it can then run without programs of the repository. */
  readonly git?: 'reading' | 'other';
  /** Where git starts. Default: in `folders`. */
  readonly gitFolders?: readonly string[] | undefined;
  /** Files that the program finds itself. */
  readonly finds?: FoundFiles;
  /** Leading words that a rule must spell out to allow it. */
  readonly requiredWords: number;
  /** What a plain wrapper such as `timeout 5` runs. */
  readonly wraps?: ShellCommand;
}

export interface ShellFile {
  readonly path: string | undefined;
  readonly shown: string;
  readonly access: 'read' | 'write';
}

export interface ShellReading {
  /** At any depth: lists, pipes, loops, functions, substitutions. */
  readonly commands: readonly ShellCommand[];
  /** Scripts in words, as of `sh -c`; for deny rules. */
  readonly inner: readonly ShellCommand[];
  readonly files: readonly ShellFile[];
  /** Redirections of the scripts in words. */
  readonly innerFiles: readonly ShellFile[];
  /** Other texts for programs, such as here-documents. */
  readonly texts: readonly string[];
  /** Every variable that is set, as `NAME=value`; the value is open if it is not written there. */
  readonly assigned: readonly ShellWord[];
  /** Why the commands do not show everything; no rule can then allow the parts. */
  readonly obstacle: string | undefined;
  /** Why it is more than a list of simple commands with literal words, so that only rules can allow it. */
  readonly complexity: string | undefined;
  /** Why even the commands are unknown; a deny rule might apply. */
  readonly unclear: string | undefined;
}

export function unreadable(reason: string): ShellReading {
  return {
    commands: [],
    inner: [],
    files: [],
    innerFiles: [],
    texts: [],
    assigned: [],
    obstacle: reason,
    complexity: reason,
    unclear: reason,
  };
}

/** `/bin/rm` is `rm` in deny rules. */
export function baseName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

/** Quotes words where needed; rules compare this text, and people see it. */
export function commandText({ assignments, words }: Pick<ShellCommand, 'assignments' | 'words'>): string {
  return [...assignments, ...words].map((word) => quoted(word.text)).join(' ');
}

function quoted(text: string): string {
  return /^[^\s'"\\]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
