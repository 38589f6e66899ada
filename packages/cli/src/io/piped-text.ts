import { fstatSync } from 'node:fs';
import type { Readable } from 'node:stream';

/** How long to wait for optional piped text. */
const SILENCE_LIMIT_MS = 1_000;

/** True for a pipe or a file; false for a terminal, a device or a closed stdin. */
export function hasPipedInput(): boolean {
  try {
    const stdin = fstatSync(0);
    return stdin.isFIFO() || stdin.isFile() || stdin.isSocket();
  } catch {
    return false;
  }
}

export interface PipedTextOptions {
  /** The prompt is already known, so a silent pipe is not waited for. */
  readonly isOptional: boolean;
}

/** Undefined for an optional pipe that stays silent. */
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
