import type { Atoms } from './atoms.js';
import type { Popup } from './completion.js';
import type { ReverseSearch } from './reverse-search.js';
import type { TextBuffer, TextRun } from './text-buffer.js';

export interface ComposerState {
  readonly buffer: TextBuffer;
  readonly atoms: Atoms;
  readonly mode: ComposerMode;
  readonly popup?: Popup;
  readonly search?: ReverseSearch;
  readonly vim?: VimView;
  /** Below the text, until the next key. */
  readonly notice?: string;
  /** Keys wait until the read ends. */
  readonly isBusy: boolean;
}

/** Vi key bindings are on. */
export interface VimView {
  /** For example `NORMAL 2d`. */
  readonly label: string;
  readonly selection?: TextRun;
}

export type ComposerMode = 'prompt' | 'shell' | 'memory';

/** `!` starts shell mode; `# ` on a single line starts memory mode. */
export function modeOf({ lines }: TextBuffer): ComposerMode {
  if (lines[0]?.startsWith('!')) return 'shell';
  return lines.length === 1 && /^# (?!\s)/.test(lines[0] ?? '') ? 'memory' : 'prompt';
}
