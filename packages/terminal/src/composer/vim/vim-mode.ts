import type { VimView } from '../composer-state.js';
import type { Keystroke } from '../keystroke.js';
import { placeOf } from '../text-buffer.js';
import type { TextEditor } from '../text-editor.js';
import { countOf, readCommand, readVisualCommand, type VimCommand } from './vim-commands.js';
import {
  charAfter,
  charBefore,
  findCharacter,
  lastOfWord,
  lineEnd,
  lineStart,
  MOTIONS,
  textObject,
  type VimRange,
  type VimTarget,
} from './vim-motions.js';
import { swapCase, VimText } from './vim-text.js';

type VimState = 'insert' | 'normal' | 'visual' | 'visual line';

interface Change {
  readonly keys: string;
  /** Typed after it, until Escape. */
  inserted: string;
}

const FOLLOWED: ReadonlyMap<string, string> = new Map([
  ['left', 'h'],
  ['backspace', 'h'],
  ['right', 'l'],
  ['home', '0'],
  ['end', '$'],
]);

/** Keys of vi for the editor. Returns the keys that it leaves to the composer. */
export class VimMode {
  readonly #editor: TextEditor;
  readonly #vim: VimText;
  #state: VimState = 'insert';
  #pending = '';
  /** The other end of the selection. */
  #anchor = 0;
  #lastFind: { readonly kind: string; readonly wanted: string } | undefined;
  #lastChange: Change | undefined;
  /** The change whose text is being typed. */
  #open: Change | undefined;

  constructor(editor: TextEditor) {
    this.#editor = editor;
    this.#vim = new VimText(editor);
  }

  get view(): VimView {
    const label = [this.#state.toUpperCase(), this.#pending].join(' ').trim();
    if (this.#state === 'insert' || this.#state === 'normal') return { label };
    const { from, to } = this.#selected();
    const { buffer } = this.#editor;
    return { label, selection: { from: placeOf(buffer, from), to: placeOf(buffer, to) } };
  }

  /** After a prompt was sent. */
  reset(): void {
    this.#state = 'insert';
    this.#pending = '';
    this.#open = undefined;
  }

  press(keystroke: Keystroke): readonly Keystroke[] {
    if (this.#isInserting) return this.#insert(keystroke);
    if (keystroke.kind === 'key') return this.#pressKey(keystroke);
    const left: Keystroke[] = [];
    const characters = [...keystroke.text];
    for (const [index, character] of characters.entries()) {
      // A command may begin to insert: the rest is text.
      if (this.#isInserting)
        return [...left, ...this.#insert({ kind: 'text', text: characters.slice(index).join('') })];
      left.push(...this.#take(character));
    }
    return left;
  }

  get #isInserting(): boolean {
    return this.#state === 'insert';
  }

  #insert(keystroke: Keystroke): readonly Keystroke[] {
    if (keystroke.kind === 'key' && keystroke.name === 'escape') {
      this.#open = undefined;
      this.#state = 'normal';
      const at = this.#vim.at;
      if (at > lineStart(this.#vim.text, at)) this.#vim.moveTo(charBefore(this.#vim.text, at));
      return [];
    }
    if (this.#open !== undefined) {
      if (keystroke.kind === 'text') this.#open.inserted += keystroke.text;
      else if (keystroke.name === 'backspace') this.#open.inserted = this.#open.inserted.slice(0, -1);
    }
    return [keystroke];
  }

  #pressKey(keystroke: Extract<Keystroke, { kind: 'key' }>): readonly Keystroke[] {
    const { name } = keystroke;
    if (name === 'escape') {
      const wasIdle = this.#pending === '' && this.#state === 'normal';
      this.#pending = '';
      if (this.#state !== 'normal') this.#toNormal();
      return wasIdle ? [keystroke] : [];
    }
    if (name === 'ctrl+r' && this.#pending === '') {
      this.#editor.perform('redo');
      this.#vim.clamp();
      return [];
    }
    const same = FOLLOWED.get(name);
    if (same !== undefined) return this.#take(same);
    this.#pending = '';
    return [keystroke];
  }

  #take(character: string): readonly Keystroke[] {
    const keys = this.#pending + character;
    const isVisual = this.#state !== 'normal';
    const read = isVisual ? readVisualCommand(keys) : readCommand(keys);
    this.#pending = read === 'incomplete' ? keys : '';
    if (typeof read === 'string') return [];
    if (!isVisual && (read.motion === 'j' || read.motion === 'k') && read.operator === undefined) {
      // The composer moves by rows, and through the history.
      const name = read.motion === 'j' ? 'down' : 'up';
      return Array.from({ length: countOf(read) }, () => ({ kind: 'key', name }) as const);
    }
    if (isVisual) this.#runVisual(read);
    else this.#run(read, keys);
    return [];
  }

  #toNormal(): void {
    this.#state = 'normal';
    this.#vim.clamp();
  }

  #run(command: VimCommand, keys: string): void {
    const { operator, action } = command;
    if (action !== undefined) this.#act(action, command, keys);
    else if (operator === undefined) this.#move(command);
    else {
      const range = this.#rangeOf(command);
      if (range === undefined) return;
      if (operator !== 'y') this.#begin(keys);
      if (this.#vim.operate(operator, range)) this.#startInsert();
    }
  }

  #begin(keys: string): void {
    this.#lastChange = { keys, inserted: '' };
  }

  #move(command: VimCommand): void {
    const target = this.#targetOf(command);
    if (target === undefined) return;
    this.#vim.moveTo(target.at);
    if (this.#state === 'normal') this.#vim.clamp();
  }

  #targetOf({ motion = '', count, wanted = '' }: VimCommand): VimTarget | undefined {
    const move = {
      text: this.#vim.text,
      at: this.#vim.at,
      count: count === undefined ? undefined : countOf({ count }),
    };
    if (motion === ';' || motion === ',') {
      if (this.#lastFind === undefined) return undefined;
      const { kind, wanted: last } = this.#lastFind;
      return findCharacter(motion === ';' ? kind : swapCase(kind), last, move);
    }
    if (wanted !== '') {
      this.#lastFind = { kind: motion, wanted };
      return findCharacter(motion, wanted, move);
    }
    return MOTIONS.get(motion)?.(move);
  }

  #rangeOf(command: VimCommand): VimRange | undefined {
    const { operator, object, isWholeLine, motion } = command;
    const text = this.#vim.text;
    const at = this.#vim.at;
    if (object !== undefined) return textObject(object, text, at);
    if (isWholeLine) {
      let to = lineEnd(text, at);
      for (let more = 1; more < countOf(command) && to < text.length; more += 1) to = lineEnd(text, to + 1);
      return { from: lineStart(text, at), to, isLines: true };
    }
    // As in vi, cw leaves the blanks after the word.
    const isOnWord = /\S/.test(text[at] ?? ' ');
    const isChange = operator === 'c' && isOnWord && (motion === 'w' || motion === 'W');
    const target = isChange ? this.#wordTarget(command) : this.#targetOf(command);
    if (target === undefined) return undefined;
    const [from, last] = [Math.min(at, target.at), Math.max(at, target.at)];
    if (target.isLines) return { from: lineStart(text, from), to: lineEnd(text, last), isLines: true };
    // A word motion of an operator ends at the line end.
    const isWord = motion === 'w' || motion === 'W';
    const to = target.isInclusive
      ? charAfter(text, last)
      : isWord
        ? Math.min(last, Math.max(lineEnd(text, from), from))
        : last;
    return { from, to };
  }

  #wordTarget(command: VimCommand): VimTarget | undefined {
    const isBig = command.motion === 'W';
    const at = lastOfWord(this.#vim.text, this.#vim.at, isBig);
    const count = countOf(command) - 1;
    if (count === 0) return { at, isInclusive: true };
    return MOTIONS.get(isBig ? 'E' : 'e')?.({ text: this.#vim.text, at, count });
  }

  #startInsert(): void {
    this.#state = 'insert';
    this.#open = this.#lastChange;
  }

  #act(action: string, command: VimCommand, keys: string): void {
    const short = SHORT.get(action);
    if (short !== undefined) {
      const read = readCommand(`${command.count ?? ''}${short}`);
      if (typeof read !== 'string') this.#run(read, keys);
      return;
    }
    if (action === 'v' || action === 'V') {
      this.#state = action === 'v' ? 'visual' : 'visual line';
      this.#anchor = this.#vim.at;
    } else if (action === 'u') {
      for (let done = 0; done < countOf(command); done += 1) this.#editor.perform('undo');
      this.#vim.clamp();
    } else if (action === '.') this.#repeat();
    else {
      this.#begin(keys);
      if (this.#vim.change(action, command)) this.#startInsert();
    }
  }

  #repeat(): void {
    const change = this.#lastChange;
    if (change === undefined) return;
    const { keys, inserted } = change;
    const read = readCommand(keys);
    if (typeof read === 'string') return;
    this.#run(read, keys);
    if (this.#state !== 'insert') return;
    this.#editor.insert(inserted);
    this.#lastChange = { keys, inserted };
    this.#insert({ kind: 'key', name: 'escape' });
  }

  #selected(): VimRange {
    const text = this.#vim.text;
    const [from, last] = [Math.min(this.#anchor, this.#vim.at), Math.max(this.#anchor, this.#vim.at)];
    if (this.#state === 'visual line') return { from: lineStart(text, from), to: lineEnd(text, last), isLines: true };
    return { from, to: charAfter(text, last) };
  }

  #runVisual(command: VimCommand): void {
    const { action, object, wanted = '' } = command;
    if (object !== undefined) {
      const range = textObject(object, this.#vim.text, this.#vim.at);
      if (range === undefined || range.from === range.to) return;
      this.#anchor = range.from;
      this.#vim.moveTo(charBefore(this.#vim.text, range.to));
    } else if (action === undefined) this.#move(command);
    else if (action === 'v' || action === 'V') {
      const wished = action === 'v' ? 'visual' : 'visual line';
      if (this.#state === wished) this.#toNormal();
      else this.#state = wished;
    } else if (action === 'o') {
      const at = this.#vim.at;
      this.#vim.moveTo(this.#anchor);
      this.#anchor = at;
    } else this.#actOnSelection(action, wanted);
  }

  #actOnSelection(action: string, wanted: string): void {
    const range = this.#selected();
    const operator = VISUAL_OPERATORS.get(action);
    const kept = this.#vim.register;
    this.#state = 'normal';
    if (operator !== undefined) {
      this.#lastChange = undefined;
      if (this.#vim.operate(operator, range)) this.#startInsert();
    } else if (action === 'p') {
      this.#vim.replace(range, kept.text);
      this.#vim.clamp();
    } else if (action === 'J') {
      this.#vim.moveTo(range.from);
      const lines = this.#vim.text.slice(range.from, range.to).split('\n').length;
      for (let done = 1; done < Math.max(2, lines); done += 1) this.#vim.join();
    } else if (action === 'r') {
      this.#vim.replace(
        range,
        this.#vim.text.slice(range.from, range.to).replaceAll(/[^\n]/gu, () => wanted),
      );
      this.#vim.moveTo(range.from);
    }
  }
}

/** Commands that are short for others. */
const SHORT: ReadonlyMap<string, string> = new Map([
  ['x', 'dl'],
  ['X', 'dh'],
  ['s', 'cl'],
  ['S', 'cc'],
  ['D', 'd$'],
  ['C', 'c$'],
  ['Y', 'yy'],
]);

const VISUAL_OPERATORS: ReadonlyMap<string, string> = new Map([
  ['d', 'd'],
  ['x', 'd'],
  ['c', 'c'],
  ['s', 'c'],
  ['y', 'y'],
  ['u', 'gu'],
  ['U', 'gU'],
  ['~', 'g~'],
]);
