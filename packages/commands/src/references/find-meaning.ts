import type { Mention } from './read-mention.js';
import type { ReferenceSource, Sighting } from './reference-source.js';

export interface Meaning {
  readonly path: string;
  readonly sighting: Sighting | GlobSighting;
  /** Whether it looks like a path, so that a miss deserves a warning. */
  readonly isSure: boolean;
}

export interface GlobSighting {
  readonly kind: 'glob';
}

/** The longest path that exists, else a glob, else plain text. `end` is its end in the text. */
export async function findMeaning(
  { readings, guess }: Mention,
  source: ReferenceSource,
): Promise<{ readonly end: number; readonly meaning: Meaning }> {
  const isSure = looksLikePath(guess.path);
  const isGlob = guess.path.includes('*') || (isSure && /[?[{]/.test(guess.path));
  for (const { path, end } of readings) {
    const sighting = await source.look(path);
    // The folder at the start of a glob is not the target.
    const isStartOfGlob = isGlob && end < guess.end && sighting.kind === 'folder';
    if (sighting.kind !== 'missing' && !isStartOfGlob) return { end, meaning: { path, sighting, isSure: true } };
  }
  const { path, end } = guess;
  if (!isGlob) return { end, meaning: { path, sighting: { kind: 'missing' }, isSure } };
  const start = await source.lookAtStart(path);
  return { end, meaning: { path, sighting: start.kind === 'folder' ? { kind: 'glob' } : start, isSure } };
}

/** Unlike `@Override` or `@someone`. */
function looksLikePath(text: string): boolean {
  return /[\\/]/.test(text) || /[^.]\.[A-Za-z]\w{0,9}$/.test(text);
}
