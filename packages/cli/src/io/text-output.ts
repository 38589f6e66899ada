import type { Writable } from 'node:stream';
import type { TextPiece } from '../dialects/text.js';
import type { LineWriter } from './line-writer.js';

export interface TextOutputs {
  readonly writer: LineWriter;
  readonly stderr: Writable;
}

/**
 * Resolves when there is room; never rejects. On a shared terminal, text for stderr waits until the answer is
 * flushed.
 */
export async function writePiece({ to, text }: TextPiece, { writer, stderr }: TextOutputs): Promise<void> {
  if (to === 'stdout') return writer.write(text);
  await writer.flush();
  stderr.write(text);
}
