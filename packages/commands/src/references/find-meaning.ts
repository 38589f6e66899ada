import type { Mention } from './read-mention.js';
import type { ReferenceSource, Sighting } from './reference-source.js';

/** What a reference means. */
export interface Meaning {
  readonly path: string;
  readonly sighting: Sighting | GlobSighting;
  /** Whether it was surely meant as a path, so that a miss is worth a word. */
  readonly isSure: boolean;
}

/** A pattern that may stand for any number of files, none included. */
export interface GlobSighting {
  readonly kind: 'glob';
}

/**
 * Finds out what a mention means: the longest path that exists (GAP-28); else the glob that it may be; else nothing,
 * and it is only text. `end` is where it ends in the text.
 */
export async function findMeaning(
  { readings, guess }: Mention,
  source: ReferenceSource,
): Promise<{ readonly end: number; readonly meaning: Meaning }> {
  const isSure = looksLikePath(guess.path);
  const isGlob = guess.path.includes('*') || (isSure && /[?[{]/.test(guess.path));
  for (const { path, end } of readings) {
    const sighting = await source.look(path);
    // The folder that a glob begins with is not what the glob means.
    const isStartOfGlob = isGlob && end < guess.end && sighting.kind === 'folder';
    if (sighting.kind !== 'missing' && !isStartOfGlob) return { end, meaning: { path, sighting, isSure: true } };
  }
  const { path, end } = guess;
  if (!isGlob) return { end, meaning: { path, sighting: { kind: 'missing' }, isSure } };
  const start = await source.lookAtStart(path);
  return { end, meaning: { path, sighting: start.kind === 'folder' ? { kind: 'glob' } : start, isSure } };
}

/** Whether people would say that this is a path: it has folders or an ending; `@Override` and `@someone` have not. */
function looksLikePath(text: string): boolean {
  return /[\\/]/.test(text) || /[^.]\.[A-Za-z]\w{0,9}$/.test(text);
}
