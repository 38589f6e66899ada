import { offsetOf, placeOf, textOf } from '../text-buffer.js';
import type { TextEditor } from '../text-editor.js';
import { countOf, type VimCommand } from './vim-commands.js';
import { charAfter, charBefore, firstWord, lineEnd, lineStart, type VimRange } from './vim-motions.js';

export interface Register {
  readonly text: string;
  readonly isLines: boolean;
}

/** The text of the editor with the operators of vi. Each is one undo step. */
export class VimText {
  readonly #editor: TextEditor;
  register: Register = { text: '', isLines: false };

  constructor(editor: TextEditor) {
    this.#editor = editor;
  }

  get text(): string {
    return textOf(this.#editor.buffer);
  }

  get at(): number {
    return offsetOf(this.#editor.buffer, this.#editor.buffer.cursor);
  }

  moveTo(at: number): void {
    this.#editor.moveTo(placeOf(this.#editor.buffer, at));
  }

  /** In normal mode the cursor is on a character. */
  clamp(): void {
    const at = this.at;
    const end = lineEnd(this.text, at);
    if (at === end && at > lineStart(this.text, at)) this.moveTo(charBefore(this.text, at));
  }

  /** True if inserting begins. */
  operate(operator: string, range: VimRange): boolean {
    const text = this.text;
    const part = text.slice(range.from, range.to);
    if (operator.startsWith('g')) {
      this.replace(
        range,
        operator === 'gu' ? part.toLowerCase() : operator === 'gU' ? part.toUpperCase() : swapCase(part),
      );
      this.moveTo(range.from);
      this.clamp();
      return false;
    }
    this.register = { text: part, isLines: range.isLines === true };
    if (operator === 'y') {
      this.moveTo(range.isLines ? Math.min(this.at, range.to) : range.from);
      this.clamp();
    } else if (operator === 'c') {
      this.replace(range, '');
      return true;
    } else {
      this.replace(range.isLines ? withLineEnd(text, range) : range, '');
      if (range.isLines) this.moveTo(firstWord(this.text, Math.min(range.from, this.text.length)));
      this.clamp();
    }
    return false;
  }

  replace({ from, to }: VimRange, text: string): void {
    const { buffer } = this.#editor;
    this.#editor.replace({ from: placeOf(buffer, from), to: placeOf(buffer, to) }, text);
  }

  /** True if inserting begins. */
  change(action: string, command: VimCommand): boolean {
    const text = this.text;
    const at = this.at;
    const [start, end] = [lineStart(text, at), lineEnd(text, at)];
    const count = countOf(command);
    switch (action) {
      case 'i':
      case 'I':
      case 'a':
      case 'A':
        this.moveTo({ i: at, I: firstWord(text, at), a: Math.min(charAfter(text, at), end), A: end }[action]);
        return true;
      case 'o':
      case 'O':
        this.replace(action === 'o' ? { from: end, to: end } : { from: start, to: start }, '\n');
        if (action === 'O') this.moveTo(start);
        return true;
      case 'p':
      case 'P':
        this.#put(action, count);
        return false;
      case 'J':
        for (let done = 0; done < Math.max(1, count - 1); done += 1) this.join();
        return false;
      case '~':
      case 'r': {
        let to = at;
        for (let done = 0; done < count; done += 1) to = Math.min(charAfter(text, to), end);
        const part = text.slice(at, to);
        this.replace(
          { from: at, to },
          action === '~' ? swapCase(part) : (command.wanted ?? '').repeat([...part].length),
        );
        if (action === 'r') this.moveTo(charBefore(this.text, this.at));
        this.clamp();
        return false;
      }
      default:
        return false;
    }
  }

  #put(action: string, count: number): void {
    const { text: kept, isLines } = this.register;
    if (kept === '') return;
    const text = this.text;
    const at = this.at;
    const whole = Array.from({ length: count }, () => kept);
    if (!isLines) {
      const place = action === 'p' ? Math.min(charAfter(text, at), lineEnd(text, at)) : at;
      this.replace({ from: place, to: place }, whole.join(''));
      this.moveTo(charBefore(this.text, this.at));
      return;
    }
    const place = action === 'p' ? lineEnd(text, at) : lineStart(text, at);
    const lines = whole.join('\n');
    this.replace({ from: place, to: place }, action === 'p' ? `\n${lines}` : `${lines}\n`);
    this.moveTo(firstWord(this.text, action === 'p' ? place + 1 : place));
  }

  join(): void {
    const text = this.text;
    const end = lineEnd(text, this.at);
    if (end === text.length) return;
    const to = firstWord(text, end + 1);
    this.replace({ from: end, to }, to === lineEnd(text, end + 1) ? '' : ' ');
    this.moveTo(end);
  }
}

export function swapCase(text: string): string {
  return text.replaceAll(/\p{L}/gu, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  );
}

function withLineEnd(text: string, { from, to }: VimRange): VimRange {
  if (to < text.length) return { from, to: to + 1 };
  return { from: Math.max(0, from - 1), to };
}
