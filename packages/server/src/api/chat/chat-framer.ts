import { type ChatEvent, EVENT_SCHEMAS, toEventId } from '@qwen/protocol/server';
import type { LogItem, SubscriptionEnd } from '../../log/log-item.js';
import type { LoggedEvent } from '../../log/logged-event.js';
import { formatEvent } from '../../sse/sse-frame.js';
import { ChatProjection, type ShownTurn, toError } from './chat-projection.js';

export interface ChatFramerOptions {
  readonly turn: ShownTurn;
  /** Called once, when the last event of the turn was framed. */
  readonly onOver: () => void;
}

/** Frames what the log says of one turn as a chat stream: each event on one `data:` line (CF-61). */
export class ChatFramer {
  readonly #projection: ChatProjection;
  readonly #onOver: () => void;

  constructor({ turn, onOver }: ChatFramerOptions) {
    this.#projection = new ChatProjection(turn);
    this.#onOver = onOver;
  }

  /** All items in one piece; empty when none of them is shown. */
  frame(items: readonly LogItem[]): Uint8Array<ArrayBuffer> {
    let frames = '';
    for (const item of items) {
      if (this.#projection.isOver) break;
      if (item.kind === 'event') frames += this.#frameEvent(item.event);
      else if (item.kind === 'end') frames += frameOf({ ...ENDS[item.reason], timestamp: Date.now() });
    }
    if (this.#projection.isOver) this.#onOver();
    return Buffer.from(frames);
  }

  #frameEvent({ type, data, atMs, seq }: LoggedEvent): string {
    if (!isKnown(type)) return '';
    const body = EVENT_SCHEMAS[type].safeParse(JSON.parse(data));
    // What a newer server wrote is not for this one to show.
    if (!body.success) return '';
    return this.#projection
      .accept(body.data, atMs)
      .map((event) => frameOf(event, toEventId(seq)))
      .join('');
  }
}

/** One event as it goes over the wire. */
export function frameOf(event: ChatEvent, id?: string): string {
  return formatEvent({ id, type: event.type, data: JSON.stringify(event) });
}

const ENDS: Readonly<Record<SubscriptionEnd, ReturnType<typeof toError>>> = {
  finished: toError({ code: 'session_finished', message: 'The session takes no more events.' }),
  deleted: toError({ code: 'session_not_found', message: 'The session was deleted.' }),
  closing: toError({
    code: 'shutting_down',
    message: 'The server is about to end. The turn may go on without this stream.',
  }),
  too_slow: toError({
    code: 'overloaded',
    message: 'The client read too slowly. The turn goes on without this stream.',
  }),
};

function isKnown(type: string): type is keyof typeof EVENT_SCHEMAS {
  return Object.hasOwn(EVENT_SCHEMAS, type);
}
