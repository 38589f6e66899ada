import type { StoreListener } from './event-store.js';
import { eventBytes, type LoggedEvent } from './logged-event.js';

export type TailEnd = 'finished' | 'deleted' | 'closing';

interface TailEntry {
  readonly event: LoggedEvent;
  readonly endBytes: number;
}

/** Must not throw, and must not read the tail synchronously. */
export type TailFollower = () => void;

/**
 * The newest events of a session, shared by its subscribers, which are cursors into it. Bounded and without gaps;
 * slower readers read the store.
 */
export class SessionTail implements StoreListener {
  readonly #maxBytes: number;
  readonly #followers = new Set<TailFollower>();
  #entries: TailEntry[] = [];
  /** Sliced off in batches. */
  #dropped = 0;
  #headSeq = 0;
  #publishedBytes = 0;
  #end: TailEnd | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get headSeq(): number {
    return this.#headSeq;
  }

  /** Differences are lags. */
  get publishedBytes(): number {
    return this.#publishedBytes;
  }

  get end(): TailEnd | undefined {
    return this.#end;
  }

  follow(follower: TailFollower): void {
    this.#followers.add(follower);
  }

  unfollow(follower: TailFollower): void {
    this.#followers.delete(follower);
  }

  stored(events: readonly LoggedEvent[]): void {
    const before = this.#headSeq;
    for (const event of events) {
      if (event.seq <= this.#headSeq) continue;
      // The store has the missing events.
      if (event.seq > this.#headSeq + 1) this.#forget();
      this.#headSeq = event.seq;
      this.#publishedBytes += eventBytes(event);
      this.#entries.push({ event, endBytes: this.#publishedBytes });
    }
    if (this.#headSeq === before) return;
    this.#shrink();
    this.#wake();
  }

  reached(lastSeq: number): void {
    if (lastSeq <= this.#headSeq) return;
    this.#headSeq = lastSeq;
    this.#forget();
    this.#wake();
  }

  ended(reason: TailEnd): void {
    // A finished session may still be deleted.
    if (this.#end === undefined || (this.#end === 'finished' && reason === 'deleted')) this.#end = reason;
    this.#wake();
  }

  /** At least one event, with `publishedBytes` at the end. Undefined if the tail does not reach back that far. */
  after(
    seq: number,
    maxBytes: number,
  ): { readonly events: readonly LoggedEvent[]; readonly endBytes: number } | undefined {
    const first = this.#entries[this.#dropped];
    if (first === undefined || seq + 1 < first.event.seq) return undefined;
    const start = this.#dropped + (seq + 1 - first.event.seq);
    let end = start;
    const startBytes = this.#entries[start - 1]?.endBytes ?? first.endBytes - eventBytes(first.event);
    while (end < this.#entries.length) {
      const entry = this.#entries[end];
      if (entry === undefined || (end > start && entry.endBytes - startBytes > maxBytes)) break;
      end += 1;
    }
    const taken = this.#entries.slice(start, end);
    const last = taken.at(-1);
    return last && { events: taken.map(({ event }) => event), endBytes: last.endBytes };
  }

  #shrink(): void {
    while (this.#publishedBytes - (this.#entries[this.#dropped]?.endBytes ?? 0) > this.#maxBytes) this.#dropped += 1;
    // Slicing copies the rest, so it waits until half is dropped.
    if (this.#dropped * 2 < this.#entries.length) return;
    this.#entries = this.#entries.slice(this.#dropped);
    this.#dropped = 0;
  }

  #forget(): void {
    this.#entries = [];
    this.#dropped = 0;
  }

  #wake(): void {
    for (const follower of this.#followers) follower();
  }
}
