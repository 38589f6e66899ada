import { join } from 'node:path';
import { type FolderRules, readFolderRules, rulesAbove } from './ignore-rules.js';

interface FolderState {
  readonly rules: FolderRules | undefined;
  readonly isIgnored: boolean;
}

/** Checks single paths; caches the rules of each folder. */
export class IgnoreCheck {
  readonly #root: string;
  readonly #folders = new Map<string, Promise<FolderState>>();

  constructor(root: string) {
    this.#root = root;
  }

  /** `names` start at the root. */
  async ignores(names: readonly string[], isFolder: boolean): Promise<boolean> {
    const { rules, isIgnored } = await this.#folder(names.slice(0, -1));
    return isIgnored || rules?.ignores(join(this.#root, ...names), isFolder) === true;
  }

  #folder(names: readonly string[]): Promise<FolderState> {
    const key = names.join('/');
    const known = this.#folders.get(key) ?? this.#readFolder(names);
    this.#folders.set(key, known);
    return known;
  }

  async #readFolder(names: readonly string[]): Promise<FolderState> {
    const path = join(this.#root, ...names);
    const above =
      names.length === 0 ? { rules: await rulesAbove(path), isIgnored: false } : await this.#folder(names.slice(0, -1));
    const isIgnored = above.isIgnored || (names.length > 0 && above.rules?.ignores(path, true) === true);
    return { rules: isIgnored ? undefined : await readFolderRules(path, above.rules), isIgnored };
  }
}
