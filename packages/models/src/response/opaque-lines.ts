/** Providers whose metadata of an answer go back unchanged, stored in the signature of thinking. */
export type OpaqueOwner = 'anthropic' | 'responses' | 'details';

/** One piece of a signature. Pieces of one answer are concatenated. */
export function opaqueLine(owner: OpaqueOwner, value: unknown): string {
  return `${owner}:${JSON.stringify(value)}\n`;
}

/** Whether the signature is of this provider. Others would refuse it. */
export function isOpaqueLine(owner: OpaqueOwner, signature: string): boolean {
  return signature.startsWith(`${owner}:`);
}

/** False for the signatures of Gemini, which are stored as they are. */
export function isOpaque(signature: string): boolean {
  return /^(anthropic|responses|details):/.test(signature);
}

/** Broken lines are left out: an answer may have been interrupted. */
export function readOpaqueLines(owner: OpaqueOwner, signature: string): unknown[] {
  return signature.split('\n').flatMap((line): unknown[] => {
    if (!line.startsWith(`${owner}:`)) return [];
    try {
      return [JSON.parse(line.slice(owner.length + 1))];
    } catch {
      return [];
    }
  });
}
