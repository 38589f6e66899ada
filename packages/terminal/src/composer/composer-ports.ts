import type { ComposedImage } from './atoms.js';
import type { PromptHistory } from './prompt-history.js';

/** What the composer asks of the world around it. */
export interface ComposerPorts {
  readonly history: PromptHistory;
  /** What a pasted text names, when all of it is paths of files that are there; undefined for other texts. Never rejects. */
  readDropped(text: string, signal: AbortSignal): Promise<readonly DroppedFile[] | undefined>;
  /** Gives the picture of the clipboard; rejects with why there is none. */
  readClipboardImage(signal: AbortSignal): Promise<ComposedImage>;
  /** Has a person edit a text in a program of theirs, which has the terminal meanwhile; rejects with why that failed. */
  editText(text: string): Promise<string>;
}

/** A file that was dropped onto the terminal, or whose path was pasted. */
export type DroppedFile =
  | { readonly kind: 'image'; readonly image: ComposedImage }
  /** As it can stand behind an `@`. */
  | { readonly kind: 'reference'; readonly path: string }
  /** A picture that cannot be taken, and why. */
  | { readonly kind: 'refused'; readonly path: string; readonly message: string };
