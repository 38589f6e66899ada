import type { Atoms } from './atoms.js';
import type { Popup } from './completion.js';
import type { ReverseSearch } from './reverse-search.js';
import type { TextBuffer } from './text-buffer.js';

/** What the input box shows. Immutable. */
export interface ComposerState {
  readonly buffer: TextBuffer;
  readonly atoms: Atoms;
  readonly mode: ComposerMode;
  readonly popup?: Popup;
  readonly search?: ReverseSearch;
  /** A line below the text, until the next key. */
  readonly notice?: string;
  /** What is being read; keys wait behind it. */
  readonly isBusy: boolean;
}

/** What the text is for: the agent, the shell, or the memory of the project. */
export type ComposerMode = 'prompt' | 'shell' | 'memory';

/** A `!` in front is for the shell; `# ` in front of a single line is for the memory. */
export function modeOf({ lines }: TextBuffer): ComposerMode {
  if (lines[0]?.startsWith('!')) return 'shell';
  return lines.length === 1 && /^# (?!\s)/.test(lines[0] ?? '') ? 'memory' : 'prompt';
}
