import type { TerminalStore } from '../state/terminal-store.js';
import type { ComposedInput } from './terminal-session.js';

interface Waiting {
  readonly id: string;
  readonly input: ComposedInput;
}

/** Prompts typed while the agent works, shown as `state.queued`. */
export class PromptQueue {
  readonly #store: TerminalStore;
  #waiting: readonly Waiting[] = [];

  constructor(store: TerminalStore) {
    this.#store = store;
  }

  add(input: ComposedInput): void {
    this.#set([...this.#waiting, { id: crypto.randomUUID(), input }]);
  }

  next(): ComposedInput | undefined {
    const [first, ...others] = this.#waiting;
    if (first !== undefined) this.#set(others);
    return first?.input;
  }

  /** Removes the prompts and returns their text for editing; prompts with images stay. */
  takeTexts(): string | undefined {
    const words = this.#waiting.filter(({ input }) => input.images.length === 0);
    if (words.length === 0) return undefined;
    this.#set(this.#waiting.filter((one) => !words.includes(one)));
    return words.map(({ input }) => input.text).join('\n');
  }

  takeAll(): readonly ComposedInput[] {
    const all = this.#waiting.map(({ input }) => input);
    if (all.length > 0) this.#set([]);
    return all;
  }

  #set(waiting: readonly Waiting[]): void {
    this.#waiting = waiting;
    const queued = waiting.map(({ id, input }) => ({ id, text: input.text }));
    this.#store.update((state) => ({ ...state, queued }));
  }
}
