import { AsyncQueue, type SDKMessage } from '@qwen/protocol';
import { mergeDeltas } from './merge-deltas.js';

/** More unread bytes than this ask the CLI to pause, and neighbouring pieces of one answer are joined. */
const HIGH_WATER_BYTES = 4 * 1024 * 1024;

/** So few unread bytes let the CLI go on. */
const LOW_WATER_BYTES = 1024 * 1024;

interface QueuedMessage {
  readonly message: SDKMessage;
  /** Length of the line that it came in. */
  readonly bytes: number;
}

export interface MessageStreamOptions {
  /** Tells whether the CLI shall pause its messages; the calls alternate. Must not throw. */
  readonly onFlow: (paused: boolean) => void;
}

/** The messages between the router, which never waits, and the app, which may. Bounded by weight, drops nothing. */
export class MessageStream {
  readonly #queue: AsyncQueue<QueuedMessage>;
  readonly #reader: AsyncIterator<QueuedMessage, undefined>;
  #failure: { readonly error: unknown } | undefined;

  constructor(options: MessageStreamOptions) {
    this.#queue = new AsyncQueue<QueuedMessage>({
      weigh: ({ bytes }) => bytes,
      merge: joinQueued,
      mergeAboveBytes: HIGH_WATER_BYTES,
      highWaterBytes: HIGH_WATER_BYTES,
      lowWaterBytes: LOW_WATER_BYTES,
      onFlow: options.onFlow,
    });
    this.#reader = this.#queue[Symbol.asyncIterator]();
  }

  push(message: SDKMessage, bytes: number): void {
    this.#queue.push({ message, bytes });
  }

  /** The next message. After the end: done; after a failure: rejects once, then done. */
  async next(): Promise<IteratorResult<SDKMessage, undefined>> {
    const { done, value } = await this.#reader.next();
    if (done !== true) return { done: false, value: value.message };
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure.error;
    return { done: true, value: undefined };
  }

  /** Ends after what is queued. */
  end(): void {
    this.#queue.end();
  }

  /** Fails after what is queued. */
  fail(error: unknown): void {
    this.#queue.fail(error);
  }

  /** Drops what is queued and ends at once; with a failure, the reader gets it. */
  drop(failure?: { readonly error: unknown }): void {
    this.#failure = failure;
    // The queue has no `onReturn`, so this settles within the call and cannot fail.
    void this.#reader.return?.();
  }
}

function joinQueued(previous: QueuedMessage, next: QueuedMessage): QueuedMessage | undefined {
  const message = mergeDeltas(previous.message, next.message);
  return message === undefined ? undefined : { message, bytes: previous.bytes + addedLength(next.message) };
}

function addedLength(message: SDKMessage): number {
  if (message.type !== 'stream_event' || message.event.type !== 'content_block_delta') return 0;
  const { delta } = message.event;
  switch (delta.type) {
    case 'text_delta':
      return delta.text.length;
    case 'thinking_delta':
      return delta.thinking.length;
    case 'input_json_delta':
      return delta.partial_json.length;
    case 'signature_delta':
      return delta.signature.length;
  }
}
