import type { EventFramer } from './event-framer.js';

/**
 * The framers of the sessions that are followed. Streams of one session share theirs, so that an event is made into
 * bytes once, however many readers it has; with the last of them it goes.
 */
export class SessionFramers {
  readonly #create: (sessionId: string) => EventFramer;
  readonly #framers = new Map<string, WeakRef<EventFramer>>();
  readonly #unused = new FinalizationRegistry<string>((sessionId) => {
    if (this.#framers.get(sessionId)?.deref() === undefined) this.#framers.delete(sessionId);
  });

  /** How an API shows the events of a session. */
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
