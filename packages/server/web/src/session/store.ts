/** A value that parts of the page follow. */
export class Store<State> {
  #state: State;
  readonly #followers = new Set<() => void>();

  constructor(state: State) {
    this.#state = state;
  }

  get state(): State {
    return this.#state;
  }

  /** Replaces members of the value. */
  update(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change };
    for (const follower of this.#followers) follower();
  }

  /** Calls back after each change; gives the function that ends that. */
  follow(follower: () => void): () => void {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }
}
