import type { EventStore } from './event-store.js';
import { SessionTail } from './session-tail.js';

/** `release` is idempotent. */
export interface HeldTail {
  readonly tail: SessionTail;
  readonly holders: number;
  readonly release: () => void;
}

interface Shared {
  readonly tail: SessionTail;
  readonly unwatch: () => void;
  holders: number;
}

export class TailRegistry {
  readonly #store: EventStore;
  readonly #maxTailBytes: number;
  readonly #shared = new Map<string, Shared>();

  constructor(store: EventStore, maxTailBytes: number) {
    this.#store = store;
    this.#maxTailBytes = maxTailBytes;
  }

  open(sessionId: string): HeldTail {
    const known = this.#shared.get(sessionId);
    // A new session may have the id of a deleted one.
    const shared = known === undefined || known.tail.end === 'deleted' ? this.#start(sessionId) : known;
    shared.holders += 1;
    let isHeld = true;
    return {
      tail: shared.tail,
      holders: shared.holders,
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        shared.holders -= 1;
        if (shared.holders === 0) this.#stop(sessionId, shared);
      },
    };
  }

  close(): void {
    for (const { tail } of this.#shared.values()) tail.ended('closing');
  }

  #start(sessionId: string): Shared {
    const tail = new SessionTail(this.#maxTailBytes);
    const shared: Shared = { tail, unwatch: this.#store.watch(sessionId, tail), holders: 0 };
    this.#shared.set(sessionId, shared);
    return shared;
  }

  #stop(sessionId: string, shared: Shared): void {
    shared.unwatch();
    if (this.#shared.get(sessionId) === shared) this.#shared.delete(sessionId);
  }
}
