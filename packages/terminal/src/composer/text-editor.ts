import type { KeyAction } from '@qwen/protocol';
import { type Atom, type Atoms, NO_ATOMS, withAtom } from './atoms.js';
import { EditHistory, type EditKind } from './edit-history.js';
import { nextBorder, previousBorder } from './grapheme-borders.js';
import { DELETIONS, KILLS, MOVES, type Motion } from './motions.js';
import type { Composition } from './prompt-folds.js';
import { moveDown, moveUp } from './row-motions.js';
import {
  EMPTY_BUFFER,
  insertText,
  isSamePosition,
  lineAt,
  type Position,
  replaceRun,
  type TextBuffer,
  type TextRun,
  textBetween,
  withCursor,
} from './text-buffer.js';
import type { Layout } from './wrap-text.js';

/** A text edited with shell keys, with undo. Independent of what the text is for. */
export class TextEditor {
  #history = new EditHistory();
  #buffer = EMPTY_BUFFER;
  #atoms = NO_ATOMS;
  #killed = '';
  /** The previous key was a kill, which the next kill extends. */
  #extendsKill = false;

  get buffer(): TextBuffer {
    return this.#buffer;
  }

  get atoms(): Atoms {
    return this.#atoms;
  }

  type(text: string): void {
    const endsStep = /\s/.test(text);
    if (endsStep) this.#history.interrupt();
    this.#edit(insertText(this.#buffer, text), 'typing');
  }

  /** One undo step. */
  insert(text: string): void {
    this.#edit(insertText(this.#buffer, text), 'other');
  }

  /** False when no placeholders are left. */
  insertAtom(atom: Atom): boolean {
    const added = withAtom(this.#atoms, atom);
    if (added === undefined) return false;
    this.#atoms = added.atoms;
    this.insert(added.character);
    return true;
  }

  replace(run: TextRun, text: string): void {
    this.#edit(replaceRun(this.#buffer, run, text), 'other');
  }

  moveTo(place: Position): void {
    this.#place(withCursor(this.#buffer, place));
  }

  /** Replaces the text in one undo step. Its atoms must include the current ones. */
  become({ buffer, atoms }: Composition): void {
    this.#atoms = atoms;
    this.#edit(buffer, 'other');
  }

  empty(): void {
    this.#history = new EditHistory();
    this.#atoms = NO_ATOMS;
    this.#place(EMPTY_BUFFER);
  }

  /** False at the first and the last row. */
  moveByRow(direction: 'up' | 'down', layout: Layout): boolean {
    const moved = direction === 'up' ? moveUp(this.#buffer, layout) : moveDown(this.#buffer, layout);
    if (moved === undefined) return false;
    this.#place(moved);
    return true;
  }

  /** Undefined for an action that does not edit. */
  perform(action: KeyAction): 'moved' | 'edited' | undefined {
    const move = MOVES.get(action);
    if (move !== undefined) return this.#move(move);
    const deletion = DELETIONS.get(action);
    if (deletion !== undefined) return this.#delete(deletion(this.#buffer));
    const kill = KILLS.get(action);
    if (kill !== undefined) return this.#kill(kill(this.#buffer));
    if (action === 'undo') return this.#goTo(this.#history.undo(this.#buffer));
    if (action === 'redo') return this.#goTo(this.#history.redo(this.#buffer));
    if (action === 'insertDeleted') this.insert(this.#killed);
    else if (action === 'swapCharacters') this.#edit(transpose(this.#buffer), 'other');
    else return undefined;
    return 'edited';
  }

  #move(motion: Motion): 'moved' {
    this.#place(withCursor(this.#buffer, motion(this.#buffer)));
    return 'moved';
  }

  #delete(to: Position): 'edited' {
    if (!isSamePosition(to, this.#buffer.cursor)) this.replace({ from: this.#buffer.cursor, to }, '');
    return 'edited';
  }

  #kill(to: Position): 'edited' {
    const from = this.#buffer.cursor;
    const text = textBetween(this.#buffer, { from, to });
    if (text === '') return 'edited';
    const isBefore = to.line < from.line || (to.line === from.line && to.offset < from.offset);
    const earlier = this.#extendsKill ? this.#killed : '';
    this.#killed = isBefore ? text + earlier : earlier + text;
    this.#delete(to);
    this.#extendsKill = true;
    return 'edited';
  }

  #edit(next: TextBuffer, kind: EditKind): void {
    if (next.lines !== this.#buffer.lines) this.#history.remember(this.#buffer, kind);
    this.#buffer = next;
    this.#extendsKill = false;
  }

  #place(next: TextBuffer): void {
    this.#history.interrupt();
    this.#buffer = next;
    this.#extendsKill = false;
  }

  #goTo(buffer: TextBuffer | undefined): 'edited' {
    if (buffer !== undefined) this.#buffer = buffer;
    this.#extendsKill = false;
    return 'edited';
  }
}

/** As shells do: at the line end, swaps the two characters before the cursor. */
function transpose(buffer: TextBuffer): TextBuffer {
  const { line, offset } = buffer.cursor;
  const text = lineAt(buffer, line);
  const middle = offset === text.length ? previousBorder(text, offset) : offset;
  if (middle === 0) return buffer;
  const start = previousBorder(text, middle);
  const end = nextBorder(text, middle);
  const swapped = text.slice(middle, end) + text.slice(start, middle);
  return replaceRun(buffer, { from: { line, offset: start }, to: { line, offset: end } }, swapped);
}
