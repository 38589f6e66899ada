import type { LogItem } from '../log/log-item.js';
import type { LoggedEvent } from '../log/logged-event.js';
import { formatEvent, type SseEvent } from './sse-frame.js';
import { type StreamNotice, toNoticeEvent } from './stream-notices.js';

/** Pure functions; returning undefined omits the item. */
export interface EventProjection {
  /** `parseLastEventId` must accept it. Default: the seq. */
  readonly toId?: ((seq: number) => string) | undefined;
  /** Default: type and data unchanged. */
  readonly toEvent?: ((event: LoggedEvent) => SseEvent | undefined) | undefined;
  /** Default: {@link toNoticeEvent}. */
  readonly toNotice?: ((notice: StreamNotice) => SseEvent | undefined) | undefined;
}

const EMPTY = Buffer.alloc(0);

interface FramedRow {
  readonly last: LoggedEvent;
  readonly length: number;
  readonly bytes: Buffer<ArrayBuffer>;
}

/** Encodes items. Share one between the streams of a session, so that each event is encoded once. */
export class EventFramer {
  readonly toId: (seq: number) => string;
  readonly #toEvent: (event: LoggedEvent) => SseEvent | undefined;
  readonly #toNotice: (notice: StreamNotice) => SseEvent | undefined;
  readonly #frames = new WeakMap<LoggedEvent, Buffer<ArrayBuffer>>();
  readonly #rows = new WeakMap<LoggedEvent, FramedRow>();

  constructor({ toId = String, toEvent, toNotice = toNoticeEvent }: EventProjection = {}) {
    this.toId = toId;
    this.#toEvent = toEvent ?? (({ seq, type, data }) => ({ id: toId(seq), type, data }));
    this.#toNotice = toNotice;
  }

  frame(items: readonly LogItem[]): Uint8Array<ArrayBuffer> {
    const [first] = items;
    const last = items.at(-1);
    if (first?.kind !== 'event' || last?.kind !== 'event' || items.some(({ kind }) => kind !== 'event')) {
      return this.#join(items);
    }
    // Rows of equal length between the same two events are equal.
    const known = this.#rows.get(first.event);
    if (known?.last === last.event && known.length === items.length) return known.bytes;
    const bytes = this.#join(items);
    this.#rows.set(first.event, { last: last.event, length: items.length, bytes });
    return bytes;
  }

  #join(items: readonly LogItem[]): Buffer<ArrayBuffer> {
    const frames = items.map((item) =>
      item.kind === 'event' ? this.#frameOf(item.event) : encode(this.#toNotice(item)),
    );
    return frames.length === 1 ? (frames[0] ?? EMPTY) : Buffer.concat(frames);
  }

  #frameOf(event: LoggedEvent): Buffer<ArrayBuffer> {
    const known = this.#frames.get(event);
    if (known !== undefined) return known;
    const frame = encode(this.#toEvent(event));
    this.#frames.set(event, frame);
    return frame;
  }
}

function encode(event: SseEvent | undefined): Buffer<ArrayBuffer> {
  return event === undefined ? EMPTY : Buffer.from(formatEvent(event));
}
