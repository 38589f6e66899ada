import type { PromptRecord } from '@qwen/protocol';
import { type Composition, fromRecord } from './prompt-folds.js';
import { type TextBuffer, withCursor } from './text-buffer.js';
import type { TextEditor } from './text-editor.js';

interface Walk {
  /** The oldest first. */
  readonly records: readonly PromptRecord[];
  /** Which of them is shown; one behind the last is the draft. */
  readonly index: number;
  /** What was being typed when the walk began. */
  readonly draft: Composition;
  /** What it put into the editor last; something else there ends the walk. */
  readonly shown: TextBuffer['lines'];
}

/** The way back through what was typed before, and forth again to what was being typed. */
export class Recall {
  readonly #editor: TextEditor;
  #walk: Walk | undefined;

  constructor(editor: TextEditor) {
    this.#editor = editor;
  }

  /** One prompt further back. `records` only count when a walk begins. */
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

  /** One prompt forth; behind the newest is the draft. False when there is no walk. */
  newer(): boolean {
    const walk = this.#current();
    if (walk === undefined) return false;
    this.#show(walk, walk.index + 1);
    return true;
  }

  /** The next walk begins anew. */
  end(): void {
    this.#walk = undefined;
  }

  #show(walk: Walk, index: number): void {
    const { records, draft } = walk;
    const record = records[index];
    if (record === undefined && index !== records.length) return;
    const found = record === undefined ? draft : fromRecord(record, this.#editor.atoms);
    const isBack = index < walk.index;
    // On the way back the cursor stands in the first line, so that the same key goes on.
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
