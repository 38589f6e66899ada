import type { ContentBlock } from '@qwen/protocol';

/** A prompt with what its references stand for. */
export interface ExpandedPrompt {
  /** The prompt unchanged, then the contents: a text block for each file, for an image followed by its block. */
  readonly content: readonly ContentBlock[];
  /** What `content` shows or names, in that order, each file once. */
  readonly files: readonly ReferencedFile[];
  readonly warnings: readonly ReferenceWarning[];
}

/** A file that a reference brought into the prompt. */
export interface ReferencedFile {
  /** The reference as it was written, e.g. `@src/*.ts`. */
  readonly original: string;
  /** From the working folder where it lies below, else absolute. */
  readonly path: string;
  /** `binary` and `omitted` ones (no room left) are named, not shown. */
  readonly kind: 'text' | 'image' | 'binary' | 'omitted';
  /** Bytes of what is shown; of a binary one, of the file. */
  readonly bytes: number;
}

/** Why a reference did not bring all that it names. */
export interface ReferenceWarning {
  readonly code:
    | 'missing'
    | 'outside'
    | 'ignored'
    | 'hidden'
    | 'special'
    | 'unreadable'
    | 'empty'
    | 'cut'
    | 'too_many_files'
    | 'too_many_references'
    | 'no_room';
  /** The reference as it was written. */
  readonly original: string;
  /** One sentence for people. */
  readonly message: string;
}

/** A reference that a host has resolved itself (F-10). */
export interface ExplicitReference {
  /** As it stands in the text, e.g. `@foo`. */
  readonly original: string;
  /** The file or folder, absolute or from the working folder; taken as it is. Missing: `original` is parsed. */
  readonly resolved?: string | undefined;
}

type Code = ReferenceWarning['code'];

/** What is said of one path; the others are about more than a path. */
const SENTENCES: Readonly<Record<Exclude<Code, 'unreadable'>, (path: string) => string>> = {
  missing: (path) => `There is no file or folder ${path}.`,
  outside: (path) => `${path} lies outside of the workspace and was not read.`,
  ignored: (path) => `${path} is left out by .gitignore or .qwenignore and was not read.`,
  hidden: (path) => `A permission rule forbids reading ${path}.`,
  special: (path) => `${path} is neither a file nor a folder and was not read.`,
  empty: (path) => `No file was found for ${path}.`,
  cut: (path) => `${path} is longer than what was read of it.`,
  too_many_files: (path) => `${path} stands for more files than were read.`,
  too_many_references: (path) => `There are too many references: those from ${path} on were not looked at.`,
  no_room: (path) => `There was no room left for all files of ${path}.`,
};

/** A warning about a reference, with the one sentence that goes with its code. `path` is shown as it is. */
export function warningAbout(code: keyof typeof SENTENCES, original: string, path: string): ReferenceWarning {
  return { code, original, message: SENTENCES[code](path) };
}
