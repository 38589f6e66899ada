import { AgentError } from '../errors.js';
import { type Frame, readFrame } from '../frame.js';
import { encodeLine, LineDecoder } from '../framing/ndjson.js';

/** One end of a pair. */
export interface LinkedEnd {
  /** Sends one line to the other end. Throws what `encodeLine` throws, and `channel_closed` after `close`. */
  send(line: object): void;
  /** Sets who hears the lines of the other end, in order. Lines that came before are kept for the first listener. */
  onFrame(listener: (frame: Frame) => void): void;
  /** Sets who hears that the other end has closed: once, after its last line. */
  onClose(listener: () => void): void;
  /** Says that this end sends no more. What was sent still arrives. */
  close(): void;
}

/**
 * Two ends in one process. Each line takes the road of a real pipe, through `encodeLine`, bytes, `LineDecoder` and
 * `readFrame`, and arrives in a later microtask, never inside of `send`.
 */
export function createLinkedPair(): readonly [LinkedEnd, LinkedEnd] {
  const toSecond = new Lane();
  const toFirst = new Lane();
  return [createEnd(toSecond, toFirst), createEnd(toFirst, toSecond)];
}

function createEnd(outgoing: Lane, incoming: Lane): LinkedEnd {
  return {
    send: (line) => outgoing.send(line),
    onFrame: (listener) => incoming.onFrame(listener),
    onClose: (listener) => incoming.onClose(listener),
    close: () => outgoing.close(),
  };
}

/** One direction of the pair. */
class Lane {
  readonly #encoder = new TextEncoder();
  readonly #decoder = new LineDecoder();
  #waiting: Frame[] = [];
  #listener: ((frame: Frame) => void) | undefined;
  #closeListener: (() => void) | undefined;
  #closed = false;
  #deliveryPlanned = false;

  send(line: object): void {
    if (this.#closed) throw new AgentError('channel_closed', 'This end of the pair is closed.');
    for (const decoded of this.#decoder.push(this.#encoder.encode(encodeLine(line)))) {
      this.#waiting.push(decoded.ok ? readFrame(decoded.text) : { kind: 'invalid', error: decoded.error });
    }
    this.#planDelivery();
  }

  onFrame(listener: (frame: Frame) => void): void {
    this.#listener = listener;
    this.#planDelivery();
  }

  onClose(listener: () => void): void {
    this.#closeListener = listener;
    this.#planDelivery();
  }

  close(): void {
    this.#closed = true;
    this.#planDelivery();
  }

  #planDelivery(): void {
    if (this.#deliveryPlanned) return;
    this.#deliveryPlanned = true;
    queueMicrotask(() => {
      this.#deliveryPlanned = false;
      this.#deliver();
    });
  }

  #deliver(): void {
    while (this.#listener !== undefined) {
      const frame = this.#waiting.shift();
      if (frame === undefined) break;
      this.#listener(frame);
    }
    if (!this.#closed || this.#waiting.length > 0) return;
    const onClose = this.#closeListener;
    this.#closeListener = undefined;
    onClose?.();
  }
}
