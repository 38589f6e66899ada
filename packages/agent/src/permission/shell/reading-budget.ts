/** Steps of reading: a node of the grammar, or a word of a command inside of a word. */
export const MAX_READING_STEPS = 20_000;

/** Bounds the work that one command may make, whatever it nests; what is left unread is asked about (S18). */
export class ReadingBudget {
  readonly #limit: number;
  #spent = 0;

  constructor(limit: number = MAX_READING_STEPS) {
    this.#limit = limit;
  }

  get spent(): number {
    return this.#spent;
  }

  /** Whether as many steps may still be made; they count then. After the first refusal nothing may. */
  take(steps: number): boolean {
    if (this.#spent + steps > this.#limit) {
      this.#spent = this.#limit;
      return false;
    }
    this.#spent += steps;
    return true;
  }
}
