import { characterSet, foldPath, PathList } from './path-list.js';

/** Paths of one depth and length, in parallel arrays. */
interface Bucket {
  readonly paths: string[];
  readonly folded: string[];
  readonly characters: number[];
}

/** Lets depth and length share one number. */
const MAX_PATH_LENGTH = 0xffff;

/** Buckets by depth and length avoid a final sort, which would block the event loop. */
export class PathGatherer {
  readonly #buckets = new Map<number, Bucket>();
  readonly #folders = new Set<string>();
  #length = 0;

  /** In UTF-16 units. */
  get length(): number {
    return this.#length;
  }

  /** `names` are the path segments below the root. */
  add(names: readonly string[]): void {
    for (let depth = names.length - 1; depth > 0; depth -= 1) {
      const folder = `${names.slice(0, depth).join('/')}/`;
      if (this.#folders.has(folder)) break;
      this.#folders.add(folder);
      this.#put(folder, depth);
    }
    this.#put(names.join('/'), names.length);
  }

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
    // Shares the string if the path is already folded.
    bucket.folded.push(folded === path ? path : folded);
    bucket.characters.push(characterSet(folded));
    this.#length += path.length;
  }
}
