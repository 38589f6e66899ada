import type { TerminalStore } from '../state/terminal-store.js';
import type { ComposedInput } from './terminal-session.js';

interface Waiting {
  readonly id: string;
  readonly input: ComposedInput;
  /** The agent has it, for the running turn. */
  readonly isSteering: boolean;
}

/** Prompts typed while the agent works, shown as `state.queued`: those for the running turn, then the others. */
export class PromptQueue {
  readonly #store: TerminalStore;
  #waiting: readonly Waiting[] = [];

  constructor(store: TerminalStore) {
    this.#store = store;
  }

  add(input: ComposedInput): void {
    this.#set([...this.#waiting, { id: crypto.randomUUID(), input, isSteering: false }]);
  }

  /** Returns its id. */
  addSteering(input: ComposedInput): string {
    const id = crypto.randomUUID();
    const steering = this.#waiting.filter(({ isSteering }) => isSteering);
    const others = this.#waiting.filter(({ isSteering }) => !isSteering);
    this.#set([...steering, { id, input, isSteering: true }, ...others]);
    return id;
  }

  /** The id of the first prompt that the agent has. */
  get steering(): string | undefined {
    return this.#waiting.find(({ isSteering }) => isSteering)?.id;
  }

  next(): ComposedInput | undefined {
    const first = this.#waiting.find(({ isSteering }) => !isSteering);
    return first === undefined ? undefined : this.take(first.id);
  }

  take(id: string): ComposedInput | undefined {
    const found = this.#waiting.find((one) => one.id === id);
    if (found !== undefined) this.#set(this.#waiting.filter((one) => one !== found));
    return found?.input;
  }

  /** Removes all prompts. Those for which `withdraw` returns false stay: the agent has them. */
  takeAll(withdraw: (id: string) => boolean): readonly ComposedInput[] {
    const taken = this.#waiting.filter(({ id, isSteering }) => !isSteering || withdraw(id));
    if (taken.length > 0) this.#set(this.#waiting.filter((one) => !taken.includes(one)));
    return taken.map(({ input }) => input);
  }

  #set(waiting: readonly Waiting[]): void {
    this.#waiting = waiting;
    const queued = waiting.map(({ id, input, isSteering }) => ({ id, text: input.text, isSteering }));
    this.#store.update((state) => ({ ...state, queued }));
  }
}
