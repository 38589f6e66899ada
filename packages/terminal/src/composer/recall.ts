import type { PromptRecord } from '@qwen/protocol';
import { type Composition, fromRecord } from './prompt-folds.js';
import { type TextBuffer, withCursor } from './text-buffer.js';
import type { TextEditor } from './text-editor.js';

interface Walk {
  /** Oldest first. */
  readonly records: readonly PromptRecord[];
  /** Index of the shown record; `records.length` is the draft. */
  readonly index: number;
  readonly draft: Composition;
  /** A different text in the editor ends the walk. */
  readonly shown: TextBuffer['lines'];
}

export class Recall {
  readonly #editor: TextEditor;
  #walk: Walk | undefined;

  constructor(editor: TextEditor) {
    this.#editor = editor;
  }

  /** `records` is read only when a walk begins. */
  older(records: readonly PromptRecord[]): void {
    const { buffer, atoms } = this.#editor;
    const walk = this.#current() ?? {
      records,
      index: records.length,
      draft: { buffer, atoms },
      shown: buffer.lines,
    };
    this.#show(walk, walk.index - 1);
  }

  /** The draft follows the newest prompt. False when not walking. */
  newer(): boolean {
    const walk = this.#current();
    if (walk === undefined) return false;
    this.#show(walk, walk.index + 1);
    return true;
  }

  end(): void {
    this.#walk = undefined;
  }

  #show(walk: Walk, index: number): void {
    const { records, draft } = walk;
    const record = records[index];
    if (record === undefined && index !== records.length) return;
    const found = record === undefined ? draft : fromRecord(record, this.#editor.atoms);
    const isBack = index < walk.index;
    // Keep the cursor in the first line, so that the same key continues.
    const end = { line: 0, offset: found.buffer.lines[0]?.length ?? 0 };
    const buffer = isBack ? withCursor(found.buffer, end) : found.buffer;
    this.#editor.become({ buffer, atoms: new Map([...this.#editor.atoms, ...found.atoms]) });
    this.#walk = { ...walk, index, shown: buffer.lines };
  }

  #current(): Walk | undefined {
    if (this.#walk !== undefined && this.#walk.shown !== this.#editor.buffer.lines) this.#walk = undefined;
    return this.#walk;
  }
}
