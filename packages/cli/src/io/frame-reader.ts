import type { Readable } from 'node:stream';
import { type DecodedLine, type Frame, LineDecoder, type LineDecoderOptions, readFrame } from '@qwen/protocol';

/** One line of the input, read as far as the messages of the SDK go. */
export interface InputFrame {
  readonly frame: Frame;
  /** Counted from 1. */
  readonly lineNumber: number;
  /** The line itself; empty for one that was too long to keep. */
  readonly text: string;
}

/** Who hears what comes in. All calls are synchronous and in order; none may throw. */
export interface FrameListener {
  /** A line, read. A line over the limit arrives as an `invalid` frame with `line_too_long`. */
  onFrame(input: InputFrame): void;
  /** The input ended, broke or was closed; called once, nothing follows. */
  onEnd(): void;
}

/**
 * Reads JSON lines from a stream and hands each over the moment it is whole (HOUSE §3.3a hop 5). Reading never pauses: a control
 * line must get through whatever the rest of the program waits for.
 */
export function readFrames(input: Readable, listener: FrameListener, options: LineDecoderOptions = {}): void {
  const decoder = new LineDecoder(options);
  const deliver = (lines: readonly DecodedLine[]) => {
    for (const line of lines) listener.onFrame(toInput(line));
  };
  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    deliver(decoder.end());
    listener.onEnd();
  };
  input.on('data', (chunk: Uint8Array) => deliver(decoder.push(chunk)));
  input.once('end', end);
  input.once('close', end);
  input.once('error', end);
}

function toInput(line: DecodedLine): InputFrame {
  const { lineNumber } = line;
  if (line.ok) return { frame: readFrame(line.text), lineNumber, text: line.text };
  return { frame: { kind: 'invalid', error: line.error }, lineNumber, text: '' };
}
