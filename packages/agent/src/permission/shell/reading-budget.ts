export const MAX_READING_STEPS = 20_000;

/** Bounds the work for one command; what remains unread needs a question. */
export class ReadingBudget {
  readonly #limit: number;
  #spent = 0;

  constructor(limit: number = MAX_READING_STEPS) {
    this.#limit = limit;
  }

  get spent(): number {
    return this.#spent;
  }

  take(steps: number): boolean {
    if (this.#spent + steps > this.#limit) {
      this.#spent = this.#limit;
      return false;
    }
    this.#spent += steps;
    return true;
  }
}
