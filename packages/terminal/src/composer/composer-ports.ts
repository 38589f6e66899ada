import type { ComposedImage } from './atoms.js';
import type { PromptHistory } from './prompt-history.js';

export interface ComposerPorts {
  readonly history: PromptHistory;
  /** Undefined unless the whole text consists of paths of existing files. Never rejects. */
  readDropped(text: string, signal: AbortSignal): Promise<readonly DroppedFile[] | undefined>;
  /** Rejects with the reason. */
  readClipboardImage(signal: AbortSignal): Promise<ComposedImage>;
  /** The editor owns the terminal meanwhile. Rejects with the reason. */
  editText(text: string): Promise<string>;
}

export type DroppedFile =
  | { readonly kind: 'image'; readonly image: ComposedImage }
  /** Ready to use after `@`. */
  | { readonly kind: 'reference'; readonly path: string }
  /** An unusable image and the reason. */
  | { readonly kind: 'refused'; readonly path: string; readonly message: string };
