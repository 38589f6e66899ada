import { fstatSync } from 'node:fs';
import type { Readable } from 'node:stream';

/** How long a pipe may stay silent before we go on without it, in milliseconds. */
const SILENCE_LIMIT_MS = 1_000;

/** Whether stdin is a pipe or a file, and not a terminal, a device or closed. */
export function hasPipedInput(): boolean {
  try {
    const stdin = fstatSync(0);
    return stdin.isFIFO() || stdin.isFile() || stdin.isSocket();
  } catch {
    return false;
  }
}

export interface PipedTextOptions {
  /** There is a prompt already: a pipe that stays silent is not waited for (F27). Otherwise it is read to its end. */
  readonly isOptional: boolean;
}

/** The text of a pipe; undefined when it stayed silent for a second and is not needed. */
export async function readPipedText(input: Readable, { isOptional }: PipedTextOptions): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      input.destroy();
      resolve(undefined);
    };
    const timer = isOptional ? setTimeout(giveUp, SILENCE_LIMIT_MS) : undefined;
    input.on('data', (chunk: Buffer) => {
      clearTimeout(timer);
      chunks.push(chunk);
    });
    input.once('end', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).toString('utf8'));
    });
    input.once('error', reject);
  });
}
