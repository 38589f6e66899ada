import type { OutputLine } from '@qwen/sdk/terminal';

/** Suggestions for the text in the box. */
export type HintLine = Extract<OutputLine, { kind: 'hint' }>['line'];

type Suggestion = HintLine['suggestions'][number];

/** The list above the box. It does not use the agent. */
export class HintList {
  readonly #list: HTMLElement;
  readonly #choose: (value: string) => void;
  #suggestions: readonly Suggestion[] = [];
  #selected = 0;

  constructor(list: HTMLElement, choose: (value: string) => void) {
    this.#list = list;
    this.#choose = choose;
  }

  get isOpen(): boolean {
    return this.#suggestions.length > 0;
  }

  show(suggestions: readonly Suggestion[]): void {
    this.#suggestions = suggestions;
    this.#selected = 0;
    this.#draw();
  }

  move(by: 1 | -1): void {
    this.#selected = (this.#selected + by + this.#suggestions.length) % this.#suggestions.length;
    this.#draw();
  }

  choose(index = this.#selected): void {
    const suggestion = this.#suggestions[index];
    this.show([]);
    if (suggestion !== undefined) this.#choose(suggestion.value);
  }

  #draw(): void {
    this.#list.hidden = !this.isOpen;
    this.#list.replaceChildren(...this.#suggestions.map((suggestion, index) => this.#item(suggestion, index)));
    this.#list.children[this.#selected]?.scrollIntoView({ block: 'nearest' });
  }

  #item({ label, description }: Suggestion, index: number): HTMLElement {
    const item = document.createElement('li');
    item.role = 'option';
    item.ariaSelected = String(index === this.#selected);
    item.textContent = label;
    const about = document.createElement('small');
    about.textContent = description ?? '';
    item.append(about);
    // `click` would move the focus out of the box.
    item.addEventListener('mousedown', (event) => {
      event.preventDefault();
      this.choose(index);
    });
    return item;
  }
}
