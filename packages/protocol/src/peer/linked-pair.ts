import { AgentError } from '../errors.js';
import { type Frame, readFrame } from '../frame.js';
import { encodeLine, LineDecoder } from '../framing/ndjson.js';

export interface LinkedEnd {
  /** Throws what `encodeLine` throws, and `channel_closed` after `close`. */
  send(line: object): void;
  /** Sets the listener for lines of the other end, in order. Earlier lines are buffered for the first listener. */
  onFrame(listener: (frame: Frame) => void): void;
  /** Called once, after the last line of the other end. */
  onClose(listener: () => void): void;
  /** Ends this direction. Lines already sent still arrive. */
  close(): void;
}

/**
 * Two connected ends in one process. Each line passes `encodeLine`, bytes, `LineDecoder` and `readFrame`, and
 * arrives in a later microtask.
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
