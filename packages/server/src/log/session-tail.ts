import type { StoreListener } from './event-store.js';
import { eventBytes, type LoggedEvent } from './logged-event.js';

/** Why a session ends for a reader that is up to date. */
export type TailEnd = 'finished' | 'deleted' | 'closing';

/** An event in the tail, and how much was published up to its end. */
interface TailEntry {
  readonly event: LoggedEvent;
  readonly endBytes: number;
}

/** Hears that the tail moved. Must not throw and must not read the tail before it returns. */
export type TailFollower = () => void;

/**
 * The newest events of one session in memory, shared by all its subscribers: each of them is only a cursor into it, so a
 * thousand readers keep nothing twice. It holds a bounded number of bytes without holes; who is further behind reads
 * the store.
 */
export class SessionTail implements StoreListener {
  readonly #maxBytes: number;
  readonly #followers = new Set<TailFollower>();
  #entries: TailEntry[] = [];
  /** How many of the entries at the front are dropped already; they are cut off now and then, not one by one. */
  #dropped = 0;
  #headSeq = 0;
  #publishedBytes = 0;
  #end: TailEnd | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The newest durable seq that we know of. */
  get headSeq(): number {
    return this.#headSeq;
  }

  /** Bytes of all events that went through here; differences tell how far behind a reader is. */
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
      // A hole: the store has what is missing, so the tail starts anew behind it.
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
    // A session that is finished may still be deleted; nothing comes after that.
    if (this.#end === undefined || (this.#end === 'finished' && reason === 'deleted')) this.#end = reason;
    this.#wake();
  }

  /**
   * The events after a seq, up to `maxBytes` but at least one, and how much was published up to their end. Undefined
   * when the tail does not reach back so far.
   */
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
    // Cutting the front off costs the rest, so it waits until there is as much to drop as to keep.
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
