import type { TextBuffer } from './text-buffer.js';

const MAX_STEPS = 500;

/** Typing is undone by words, not letters. */
export type EditKind = 'typing' | 'other';

export class EditHistory {
  #past: TextBuffer[] = [];
  #future: TextBuffer[] = [];
  #last: EditKind = 'other';

  remember(before: TextBuffer, kind: EditKind): void {
    this.#future = [];
    const continues = kind === 'typing' && this.#last === 'typing';
    this.#last = kind;
    if (continues) return;
    this.#past.push(before);
    if (this.#past.length > MAX_STEPS) this.#past.shift();
  }

  /** Ends the current undo group. */
  interrupt(): void {
    this.#last = 'other';
  }

  undo(now: TextBuffer): TextBuffer | undefined {
    const before = this.#past.pop();
    if (before === undefined) return undefined;
    this.#last = 'other';
    this.#future.push(now);
    return before;
  }

  /** Undefined after edits other than `undo`. */
  redo(now: TextBuffer): TextBuffer | undefined {
    const after = this.#future.pop();
    if (after === undefined) return undefined;
    this.#last = 'other';
    this.#past.push(now);
    return after;
  }
}
