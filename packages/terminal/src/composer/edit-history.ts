import type { TextBuffer } from './text-buffer.js';

const MAX_STEPS = 500;

/** What an edit was, so that typed words go back as words and not letter by letter. */
export type EditKind = 'typing' | 'other';

/** The texts to go back to, and forth again. */
export class EditHistory {
  #past: TextBuffer[] = [];
  #future: TextBuffer[] = [];
  #last: EditKind = 'other';

  /** Keeps the text as it was before an edit. */
  remember(before: TextBuffer, kind: EditKind): void {
    this.#future = [];
    const goesOn = kind === 'typing' && this.#last === 'typing';
    this.#last = kind;
    if (goesOn) return;
    this.#past.push(before);
    if (this.#past.length > MAX_STEPS) this.#past.shift();
  }

  /** What comes now is not part of the edit before. */
  interrupt(): void {
    this.#last = 'other';
  }

  /** The text before the last edit; undefined when there is none. */
  undo(now: TextBuffer): TextBuffer | undefined {
    const before = this.#past.pop();
    if (before === undefined) return undefined;
    this.#last = 'other';
    this.#future.push(now);
    return before;
  }

  /** The text that the last `undo` left; undefined after other edits. */
  redo(now: TextBuffer): TextBuffer | undefined {
    const behind = this.#future.pop();
    if (behind === undefined) return undefined;
    this.#last = 'other';
    this.#past.push(now);
    return behind;
  }
}
