import type { Readable } from 'node:stream';
import { type DecodedLine, type Frame, LineDecoder, type LineDecoderOptions, readFrame } from '@qwen/protocol';

export interface InputFrame {
  readonly frame: Frame;
  readonly lineNumber: number;
  /** Empty for a line over the limit. */
  readonly text: string;
}

/** All calls are synchronous and in order; none may throw. */
export interface FrameListener {
  /** A line over the limit arrives as an `invalid` frame with `line_too_long`. */
  onFrame(input: InputFrame): void;
  /** Called once when the input ends, fails or is closed; nothing follows. */
  onEnd(): void;
}

/** Reads JSON lines and delivers each at once. Reading never pauses, so that control lines are never blocked. */
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
