import { setImmediate as nextTurn } from 'node:timers/promises';
import { compareNames } from '@qwen/tools';
import { PathRanks, rankLoosely } from './path-ranks.js';

export interface PathSearch {
  /** May be empty. Case-insensitive. */
  readonly text: string;
  readonly limit: number;
  readonly signal: AbortSignal;
  /** Called for matches only. */
  readonly accepts: (path: string) => boolean;
}

/** Paths in display order, in parallel arrays. */
export interface SearchablePaths {
  readonly paths: readonly string[];
  readonly folded: readonly string[];
  readonly characters: Int32Array;
}

const PATHS_A_LOOK = 2048;
/** Longest time without yielding to the event loop. */
const MAX_BLOCK_MS = 2;

/**
 * Rank order: path prefix, prefix of the last segment, substring, subsequence. Dot files match only if the text has
 * a dot name.
 */
export class PathList {
  readonly #paths: readonly string[];
  readonly #folded: readonly string[];
  readonly #characters: Int32Array;

  constructor({ paths, folded, characters }: SearchablePaths) {
    this.#paths = paths;
    this.#folded = folded;
    this.#characters = characters;
  }

  /** Rejects on abort. */
  async search({ text, limit, signal, accepts }: PathSearch): Promise<string[]> {
    const typed = foldPath(text);
    const ranks = new PathRanks(typed, limit);
    const wanted = characterSet(typed.replaceAll(/\s/gu, ''));
    const showsHidden = /(?:^|\/)\./.test(typed);
    let blockedSinceMs = performance.now();
    for (let index = 0; index < this.#folded.length; index += 1) {
      if (index % PATHS_A_LOOK === 0 && performance.now() - blockedSinceMs > MAX_BLOCK_MS) {
        await nextTurn();
        signal.throwIfAborted();
        blockedSinceMs = performance.now();
      }
      if (!mayHold(this.#characters[index] ?? 0, wanted)) continue;
      const path = this.#folded[index] ?? '';
      const rank = ranks.rankOf(path);
      if (rank === undefined || (!showsHidden && isHidden(path))) continue;
      if (accepts(this.#paths[index] ?? '')) ranks.add(rank, index);
      if (ranks.isFull) break;
    }
    signal.throwIfAborted();
    const best = ranks.sure.slice(0, limit).map((index) => this.#paths[index] ?? '');
    const isListing = typed === '' || typed.endsWith('/');
    const loose = best.length < limit ? this.#ranked(ranks.loose, typed) : [];
    return [...(isListing ? best.toSorted(byPlace) : best), ...loose.slice(0, limit - best.length)];
  }

  #ranked(indexes: readonly number[], typed: string): string[] {
    const folded = indexes.map((index) => this.#folded[index] ?? '');
    return rankLoosely(folded, typed).map((position) => this.#paths[indexes[position] ?? -1] ?? '');
  }
}

export function foldPath(path: string): string {
  // Normalized strings are five times slower to search.
  return (/[^ -~]/.test(path) ? path.normalize('NFC') : path).toLowerCase();
}

function byPlace(one: string, other: string): number {
  const depths = depthOf(one) - depthOf(other);
  return depths || Number(other.endsWith('/')) - Number(one.endsWith('/')) || compareNames(one, other);
}

function depthOf(path: string): number {
  return path.split('/').length - Number(path.endsWith('/'));
}

function isHidden(path: string): boolean {
  return path.startsWith('.') || path.includes('/.');
}

/** A 32-bit Bloom filter: one bit per ASCII letter, six for all other characters. */
export function characterSet(text: string): number {
  let set = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    set |= 1 << (code >= 0x61 && code <= 0x7a ? code - 0x61 : 26 + (code % 6));
  }
  return set;
}

function mayHold(set: number, wanted: number): boolean {
  return (set & wanted) === wanted;
}
