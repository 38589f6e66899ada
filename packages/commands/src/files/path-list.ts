import { setImmediate as nextTurn } from 'node:timers/promises';
import { compareNames } from '@qwen/tools';
import { PathRanks, rankLoosely } from './path-ranks.js';

export interface PathSearch {
  /** What was typed; may be empty. Upper and lower case count as the same. */
  readonly text: string;
  readonly limit: number;
  readonly signal: AbortSignal;
  /** Whether a path may be shown. Asked about matches only. */
  readonly accepts: (path: string) => boolean;
}

/** Paths in the order in which equals are best shown. The three lists go together. */
export interface SearchablePaths {
  readonly paths: readonly string[];
  /** As they are compared: {@link foldPath}. */
  readonly folded: readonly string[];
  /** Their {@link characterSet}s. */
  readonly characters: Int32Array;
}

/** After so many paths it is time to look at the clock. */
const PATHS_A_LOOK = 2048;
/** How long a search may keep everything else waiting. */
const MAX_BLOCK_MS = 2;

/**
 * The paths of a folder, made for being searched while somebody types. Best are those that begin with what was typed, then
 * those whose last name does, then those that hold it, then those that hold its characters in this order; of equals
 * the shallow and the short ones come first. Names that begin with a dot are found only by who types one.
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

  /** The best paths. Gives others a turn every few milliseconds. Rejects on abort. */
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

/** A path as it is compared: lower case, and accents in one form whatever the file system does. */
export function foldPath(path: string): string {
  // What was normalized takes two bytes a character, which makes it five times slower to search.
  return (/[^ -~]/.test(path) ? path.normalize('NFC') : path).toLowerCase();
}

/** The order in which folders are listed: what is further up first, then folders before files, then by name. */
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

/** Which characters a text holds, as far as 32 bits can tell: the letters of ASCII one each, all others share six. */
export function characterSet(text: string): number {
  let set = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    set |= 1 << (code >= 0x61 && code <= 0x7a ? code - 0x61 : 26 + (code % 6));
  }
  return set;
}

/** Whether a text with the first set can hold all characters of one with the second. */
export function mayHold(set: number, wanted: number): boolean {
  return (set & wanted) === wanted;
}
