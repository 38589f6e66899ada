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
