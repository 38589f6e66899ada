const REMEMBERED = 512;

/** Recently ended request ids and their outcome; the oldest is dropped first. */
export class RecentIds<Ending> {
  readonly #endings = new Map<string, Ending>();

  add(requestId: string, ending: Ending): void {
    this.#endings.set(requestId, ending);
    if (this.#endings.size <= REMEMBERED) return;
    for (const oldest of this.#endings.keys()) {
      this.#endings.delete(oldest);
      return;
    }
  }

  get(requestId: string): Ending | undefined {
    return this.#endings.get(requestId);
  }
}
