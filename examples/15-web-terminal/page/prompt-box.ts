import { type HintLine, HintList } from './hint-list.ts';
import { findTyped } from './trigger.ts';

export interface PromptBoxListener {
  submit(text: string): void;
  cancel(): void;
  /** The text before the cursor can be completed. */
  hint(asked: { readonly trigger: 'slash' | 'at'; readonly text: string; readonly cursor: number }): void;
}

/** The input box: Enter sends, Tab accepts a suggestion, Escape closes the list, or cancels if no list is open. */
export class PromptBox {
  readonly #box: HTMLTextAreaElement;
  readonly #listener: PromptBoxListener;
  readonly #hints: HintList;
  /** The text that the suggestions are for; those for newer text may be on their way. */
  #hinted = '';

  constructor(box: HTMLTextAreaElement, list: HTMLElement, listener: PromptBoxListener) {
    this.#box = box;
    this.#listener = listener;
    this.#hints = new HintList(list, (value) => this.#complete(value));
    box.addEventListener('input', () => this.#ask());
    box.addEventListener('keydown', (event) => {
      if (!event.isComposing && this.#press(event)) event.preventDefault();
    });
  }

  /** Ignores suggestions for text that has changed since. */
  takeHints({ status, suggestions, metadata }: HintLine): void {
    if (status === 'loading' || metadata.text !== this.#box.value) return;
    this.#hinted = metadata.text;
    this.#hints.show(suggestions);
  }

  #ask(): void {
    const { value: text, selectionEnd: cursor } = this.#box;
    const typed = findTyped(text, cursor);
    if (typed === undefined) this.#hints.show([]);
    else this.#listener.hint({ trigger: typed.trigger, text, cursor });
  }

  /** Returns whether the key was handled. */
  #press({ key, shiftKey }: KeyboardEvent): boolean {
    const { isOpen } = this.#hints;
    switch (key) {
      case 'Enter':
        if (shiftKey) return false;
        this.#submit();
        return true;
      case 'Escape':
        if (isOpen) this.#hints.show([]);
        else this.#listener.cancel();
        return true;
      case 'Tab':
        if (isOpen && this.#hinted === this.#box.value) this.#hints.choose();
        return isOpen;
      case 'ArrowDown':
      case 'ArrowUp':
        if (isOpen) this.#hints.move(key === 'ArrowDown' ? 1 : -1);
        return isOpen;
      default:
        return false;
    }
  }

  #submit(): void {
    const text = this.#box.value.trim();
    if (text === '') return;
    this.#hints.show([]);
    this.#box.value = '';
    this.#listener.submit(text);
  }

  #complete(value: string): void {
    const { value: text, selectionEnd: cursor } = this.#box;
    const typed = findTyped(text, cursor);
    if (typed === undefined) return;
    const isFolder = typed.trigger === 'at' && value.endsWith('/');
    this.#box.setRangeText(isFolder ? value : `${value} `, typed.start, cursor, 'end');
    if (isFolder) this.#ask();
  }
}
