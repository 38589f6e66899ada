/** Calls into the app that wait until a later step lets them go. */
export class HeldCalls<Answer> {
  readonly #waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>();
  #isOpen = false;
  #count = 0;

  /** Waits for {@link release} or {@link fail}; rejects when the signal aborts. After {@link open} nothing waits. */
  hold(fallback: Answer, signal: AbortSignal): Promise<Answer> {
    if (this.#isOpen) return Promise.resolve(fallback);
    const key = (this.#count += 1);
    return new Promise<Answer>((resolve, reject) => {
      this.#waiting.set(key, { resolve, reject });
      signal.addEventListener('abort', () => reject(new Error('withdrawn')), { once: true });
    }).finally(() => this.#waiting.delete(key));
  }

  /** Lets the oldest one go. */
  release(answer: Answer): void {
    this.#oldest()?.resolve(answer);
  }

  fail(message: string): void {
    this.#oldest()?.reject(new Error(message));
  }

  /** Lets all go, and whatever comes later. */
  open(answer: Answer): void {
    this.#isOpen = true;
    for (const { resolve } of this.#waiting.values()) resolve(answer);
  }

  #oldest() {
    const [first] = this.#waiting.entries();
    if (first !== undefined) this.#waiting.delete(first[0]);
    return first?.[1];
  }
}
