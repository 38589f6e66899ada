import type { Writable } from 'node:stream';
import type { TextPiece } from '../dialects/text.js';
import type { LineWriter } from './line-writer.js';

export interface TextOutputs {
  readonly writer: LineWriter;
  /** Where what surrounds the answers goes. */
  readonly remarks: Writable;
}

/**
 * Writes a piece of what a person reads. Resolves when there is room for the next one; never rejects. Both roads may end
 * on one terminal, so a remark waits until the answer before it is out.
 */
export async function writePiece({ to, text }: TextPiece, { writer, remarks }: TextOutputs): Promise<void> {
  if (to === 'stdout') return writer.write(text);
  await writer.flush();
  remarks.write(text);
}
