export interface Offer {
  readonly turnId: string;
  readonly priority: 'now' | 'next';
  /** Aborts when the message is cancelled. */
  readonly signal: AbortSignal;
}

/** The queued messages of a session that the turn before them may take. Until one does, they keep their own turns. */
export class Steering {
  readonly #offers = new Map<string, { readonly offer: Offer; readonly controller: AbortController }>();
  #send: ((offer: Offer) => void) | undefined;

  add(turnId: string, priority: Offer['priority']): void {
    const controller = new AbortController();
    const offer = { turnId, priority, signal: controller.signal };
    this.#offers.set(turnId, { offer, controller });
    this.#send?.(offer);
  }

  get isEmpty(): boolean {
    return this.#offers.size === 0;
  }

  /** Call when the message was taken, got its own turn, or was cancelled. */
  remove(turnId: string): void {
    this.#offers.get(turnId)?.controller.abort();
    this.#offers.delete(turnId);
  }

  /** Sends all offers, and later ones, to the running turn until it calls the returned function. */
  attach(send: (offer: Offer) => void): () => void {
    this.#send = send;
    for (const { offer } of this.#offers.values()) send(offer);
    return () => {
      this.#send = undefined;
    };
  }
}
