import { characterSet, foldPath, PathList } from './path-list.js';

/** Paths of one depth and length. The lists go together, as in {@link PathList}. */
interface Bucket {
  readonly paths: string[];
  readonly folded: string[];
  readonly characters: number[];
}

/** No path is longer, so depth and length fit one number. */
const MAX_PATH_LENGTH = 0xffff;

/**
 * Takes files in as a walk finds them, and makes the list of them and of their folders. All that is to be done for one
 * path is done with it, and none is sorted: at the end nothing is left that would keep everything else waiting.
 */
export class PathGatherer {
  readonly #buckets = new Map<number, Bucket>();
  readonly #folders = new Set<string>();
  #length = 0;

  /** Length of all paths, in UTF-16 units. */
  get length(): number {
    return this.#length;
  }

  /** A file, by its names from the root down. */
  add(names: readonly string[]): void {
    for (let depth = names.length - 1; depth > 0; depth -= 1) {
      const folder = `${names.slice(0, depth).join('/')}/`;
      if (this.#folders.has(folder)) break;
      this.#folders.add(folder);
      this.#put(folder, depth);
    }
    this.#put(names.join('/'), names.length);
  }

  /** Shallow paths first, of these the short ones, of these as they came. */
  toList(): PathList {
    const keys = [...this.#buckets.keys()].toSorted((one, other) => one - other);
    const buckets = keys.flatMap((key) => this.#buckets.get(key) ?? []);
    return new PathList({
      paths: buckets.flatMap(({ paths }) => paths),
      folded: buckets.flatMap(({ folded }) => folded),
      characters: Int32Array.from(buckets.flatMap(({ characters }) => characters)),
    });
  }

  #put(path: string, depth: number): void {
    const key = depth * (MAX_PATH_LENGTH + 1) + Math.min(path.length, MAX_PATH_LENGTH);
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) this.#buckets.set(key, (bucket = { paths: [], folded: [], characters: [] }));
    const folded = foldPath(path);
    bucket.paths.push(path);
    // Most paths are in lower case already: one text is enough for both.
    bucket.folded.push(folded === path ? path : folded);
    bucket.characters.push(characterSet(folded));
    this.#length += path.length;
  }
}
