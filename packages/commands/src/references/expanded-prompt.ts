import type { ContentBlock } from '@qwen/protocol';

export interface ExpandedPrompt {
  /** The unchanged prompt, then a text block per file; images are followed by their block. */
  readonly content: readonly ContentBlock[];
  /** The files in `content`, each once. */
  readonly files: readonly ReferencedFile[];
  readonly warnings: readonly ReferenceWarning[];
}

export interface ReferencedFile {
  /** As written, e.g. `@src/*.ts`. */
  readonly original: string;
  /** Relative to the working folder if below it, else absolute. */
  readonly path: string;
  /** `binary` and `omitted` (no room left) files are only named. */
  readonly kind: 'text' | 'image' | 'binary' | 'omitted';
  /** Bytes shown; for a binary file, its size. */
  readonly bytes: number;
}

export interface ReferenceWarning {
  readonly code:
    | 'missing'
    | 'outside'
    | 'ignored'
    | 'hidden'
    | 'secret'
    | 'special'
    | 'unreadable'
    | 'empty'
    | 'cut'
    | 'too_many_files'
    | 'too_many_references'
    | 'no_room';
  readonly original: string;
  readonly message: string;
}

export interface ExplicitReference {
  readonly original: string;
  /** File or folder, absolute or relative to the working folder. If missing, `original` is parsed. */
  readonly resolved?: string | undefined;
}

type Code = ReferenceWarning['code'];

const SENTENCES: Readonly<Record<Exclude<Code, 'unreadable'>, (path: string) => string>> = {
  missing: (path) => `No such file or folder: ${path}.`,
  outside: (path) => `${path} is outside the workspace and was not read.`,
  ignored: (path) => `${path} is ignored by git or .qwenignore and was not read.`,
  hidden: (path) => `A permission rule denies reading ${path}.`,
  secret: (path) => `${path} may contain keys or passwords and was not read; the model can ask to read it.`,
  special: (path) => `${path} is not a regular file or folder and was not read.`,
  empty: (path) => `No files found for ${path}.`,
  cut: (path) => `${path} is too long; only the beginning was read.`,
  too_many_files: (path) => `${path} matches too many files; not all were read.`,
  too_many_references: (path) => `Too many references: ${path} and those after it were skipped.`,
  no_room: (path) => `${path} was not read: the prompt already contains as many files as fit.`,
};

/** `path` is used verbatim. */
export function warningAbout(code: keyof typeof SENTENCES, original: string, path: string): ReferenceWarning {
  return { code, original, message: SENTENCES[code](path) };
}
