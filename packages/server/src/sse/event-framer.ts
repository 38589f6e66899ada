import type { LogItem } from '../log/log-item.js';
import type { LoggedEvent } from '../log/logged-event.js';
import { type LogRemark, toRemarkEvent } from './remarks.js';
import { formatEvent, type SseEvent } from './sse-frame.js';

/** How an API shows the log. Both functions are pure; undefined leaves the item out. */
export interface EventProjection {
  /** The id of an event by its seq, which `parseLastEventId` must understand. Default: the seq itself. */
  readonly toId?: ((seq: number) => string) | undefined;
  /** Default: type and data as they are, with the id that `toId` gives. */
  readonly toEvent?: ((event: LoggedEvent) => SseEvent | undefined) | undefined;
  /** Default: {@link toRemarkEvent}. */
  readonly toRemark?: ((remark: LogRemark) => SseEvent | undefined) | undefined;
}

const EMPTY = Buffer.alloc(0);

/** Several events as one piece of bytes. */
interface FramedRow {
  readonly last: LoggedEvent;
  readonly length: number;
  readonly bytes: Buffer<ArrayBuffer>;
}

/** Turns items into bytes of a stream. One for all streams of an API: what many readers get is made once. */
export class EventFramer {
  /** The id of an event by its seq. */
  readonly toId: (seq: number) => string;
  readonly #toEvent: (event: LoggedEvent) => SseEvent | undefined;
  readonly #toRemark: (remark: LogRemark) => SseEvent | undefined;
  readonly #frames = new WeakMap<LoggedEvent, Buffer<ArrayBuffer>>();
  /** By the first event of several in a row. */
  readonly #rows = new WeakMap<LoggedEvent, FramedRow>();

  constructor({ toId = String, toEvent, toRemark = toRemarkEvent }: EventProjection = {}) {
    this.toId = toId;
    this.#toEvent = toEvent ?? (({ seq, type, data }) => ({ id: toId(seq), type, data }));
    this.#toRemark = toRemark;
  }

  /** All items in one piece; empty when none of them is shown. */
  frame(items: readonly LogItem[]): Uint8Array<ArrayBuffer> {
    const [first] = items;
    const last = items.at(-1);
    if (first?.kind !== 'event' || last?.kind !== 'event' || items.some(({ kind }) => kind !== 'event')) {
      return this.#join(items);
    }
    // Readers that are equally far get the same row in the same moment. Events have their order, so a row of the same
    // length between the same two events is the same.
    const known = this.#rows.get(first.event);
    if (known?.last === last.event && known.length === items.length) return known.bytes;
    const bytes = this.#join(items);
    this.#rows.set(first.event, { last: last.event, length: items.length, bytes });
    return bytes;
  }

  #join(items: readonly LogItem[]): Buffer<ArrayBuffer> {
    const frames = items.map((item) =>
      item.kind === 'event' ? this.#frameOf(item.event) : encode(this.#toRemark(item)),
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
