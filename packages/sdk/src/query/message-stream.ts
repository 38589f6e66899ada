import { AsyncQueue, type SDKMessage } from '@qwen/protocol';
import type { MirrorError, StoredTransport } from '../stores/stored-transport.js';
import { mergeDeltas } from './merge-deltas.js';
import type { ProblemReport } from './problem-report.js';

/** Unread bytes above which the CLI pauses and deltas are joined. */
const HIGH_WATER_BYTES = 4 * 1024 * 1024;

const LOW_WATER_BYTES = 1024 * 1024;

interface QueuedMessage {
  readonly message: SDKMessage;
  readonly bytes: number;
}

export interface MessageStreamOptions {
  /** Must not throw. */
  readonly onFlow: (paused: boolean) => void;
  /** A result waits until this has stored its turn. Default: none. */
  readonly stored?: StoredTransport | undefined;
  readonly report?: ProblemReport | undefined;
}

/** Bounded through flow control; drops nothing. */
export class MessageStream {
  readonly #queue: AsyncQueue<QueuedMessage>;
  readonly #reader: AsyncIterator<QueuedMessage, undefined>;
  readonly #stored: StoredTransport | undefined;
  readonly #report: ProblemReport | undefined;
  /** Settles when the messages that wait are delivered. */
  #held: Promise<void> | undefined;
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
    this.#stored = options.stored;
    this.#report = options.report;
    if (this.#stored !== undefined) this.#stored.onMirrorError = (error) => this.#pushMirrorError(error);
  }

  push(message: SDKMessage, bytes: number): void {
    const stored = this.#stored;
    stored?.touch();
    if (stored !== undefined && message.type === 'result') {
      const turns = message.num_turns ?? 0;
      this.#held = (this.#held ?? Promise.resolve()).then(() => stored.flush(turns > 0));
    }
    this.#inOrder(() => this.#queue.push({ message, bytes }));
  }

  /** After the end: done. After a failure: rejects once, then done. */
  async next(): Promise<IteratorResult<SDKMessage, undefined>> {
    const { done, value } = await this.#reader.next();
    if (done !== true) return { done: false, value: value.message };
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure.error;
    return { done: true, value: undefined };
  }

  end(): void {
    this.#inOrder(() => this.#queue.end());
  }

  fail(error: unknown): void {
    this.#inOrder(() => this.#queue.fail(error));
  }

  /** Discards the queue; the reader gets the failure. */
  drop(failure?: { readonly error: unknown }): void {
    this.#failure = failure;
    // Settles synchronously: the queue has no `onReturn`.
    void this.#reader.return?.();
  }

  #inOrder(deliver: () => void): void {
    if (this.#held === undefined) {
      deliver();
      return;
    }
    const held = this.#held.then(() => {
      deliver();
      if (this.#held === held) this.#held = undefined;
    });
    this.#held = held;
  }

  /** Ahead of the result that waits. */
  #pushMirrorError({ key, error }: MirrorError): void {
    this.#report?.problem(error);
    const message = { type: 'system', subtype: 'mirror_error', error: error.message, key } as const;
    const line = { ...message, uuid: crypto.randomUUID(), session_id: key.sessionId };
    this.#queue.push({ message: line, bytes: error.message.length });
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
