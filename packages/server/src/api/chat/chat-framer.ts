import { type ChatEvent, EVENT_SCHEMAS, toEventId } from '@qwen/protocol/server';
import type { LogItem, SubscriptionEnd } from '../../log/log-item.js';
import type { LoggedEvent } from '../../log/logged-event.js';
import { formatEvent } from '../../sse/sse-frame.js';
import { ChatProjection, type StreamedTurn, toError } from './chat-projection.js';

export interface ChatFramerOptions {
  readonly turn: StreamedTurn;
  /** Called once. */
  readonly onOver: () => void;
}

export class ChatFramer {
  readonly #projection: ChatProjection;
  readonly #onOver: () => void;

  constructor({ turn, onOver }: ChatFramerOptions) {
    this.#projection = new ChatProjection(turn);
    this.#onOver = onOver;
  }

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
    // Written by a newer server.
    if (!body.success) return '';
    return this.#projection
      .accept(body.data, atMs)
      .map((event) => frameOf(event, toEventId(seq)))
      .join('');
  }
}

export function frameOf(event: ChatEvent, id?: string): string {
  return formatEvent({ id, type: event.type, data: JSON.stringify(event) });
}

const ENDS: Readonly<Record<SubscriptionEnd, ReturnType<typeof toError>>> = {
  finished: toError({ code: 'session_finished', message: 'The session is finished.' }),
  deleted: toError({ code: 'session_not_found', message: 'The session was deleted.' }),
  closing: toError({
    code: 'shutting_down',
    message: 'The server is shutting down. The turn may continue without this stream.',
  }),
  too_slow: toError({
    code: 'overloaded',
    message: 'The client read too slowly. The turn continues without this stream.',
  }),
};

function isKnown(type: string): type is keyof typeof EVENT_SCHEMAS {
  return Object.hasOwn(EVENT_SCHEMAS, type);
}
