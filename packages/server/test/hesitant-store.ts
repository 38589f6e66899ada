import type { EventPage, EventRange, StoreListener } from '../src/log/event-store.js';
import { MemoryStore } from '../src/log/memory-store.js';

/** A store whose answers and news come when the test says so, in whatever order. */
export class HesitantStore extends MemoryStore {
  #held: (() => void)[] | undefined;
  #muted: 'nothing' | 'events' = 'nothing';

  /** From now on pages are read at once, but given only by `letGo`. */
  holdPages(): void {
    this.#held = [];
  }

  letGo(): void {
    for (const give of this.#held ?? []) give();
    this.#held = undefined;
  }

  /** From now on listeners receive the position of the session, but not its events. */
  tellOnlySeqs(): void {
    this.#muted = 'events';
  }

  override async read(range: EventRange): Promise<EventPage> {
    const page = await super.read(range);
    if (this.#held === undefined) return page;
    return new Promise((resolve) => {
      this.#held?.push(() => resolve(page));
    });
  }

  override watch(sessionId: string, listener: StoreListener): () => void {
    return super.watch(sessionId, {
      stored: (events) => {
        if (this.#muted === 'nothing') listener.stored(events);
        else listener.reached(events.at(-1)?.seq ?? 0);
      },
      reached: (seq) => listener.reached(seq),
      ended: (reason) => listener.ended(reason),
    });
  }
}
