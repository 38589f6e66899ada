import type { EventFramer } from './event-framer.js';

/** One framer per session, garbage collected without a stream. */
export class SessionFramers {
  readonly #create: (sessionId: string) => EventFramer;
  readonly #framers = new Map<string, WeakRef<EventFramer>>();
  readonly #unused = new FinalizationRegistry<string>((sessionId) => {
    if (this.#framers.get(sessionId)?.deref() === undefined) this.#framers.delete(sessionId);
  });

  constructor(create: (sessionId: string) => EventFramer) {
    this.#create = create;
  }

  of(sessionId: string): EventFramer {
    const known = this.#framers.get(sessionId)?.deref();
    if (known !== undefined) return known;
    const framer = this.#create(sessionId);
    this.#framers.set(sessionId, new WeakRef(framer));
    this.#unused.register(framer, sessionId);
    return framer;
  }
}
