const PREFIX = 'qwen.draft.';

type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Unsent texts per session, for the lifetime of the tab. */
export class Drafts {
  readonly #storage: DraftStorage | undefined;
  readonly #texts = new Map<string, string>();

  constructor(storage: DraftStorage | undefined) {
    this.#storage = storage;
  }

  get(key: string): string {
    return this.#texts.get(key) ?? this.#storage?.getItem(PREFIX + key) ?? '';
  }

  set(key: string, text: string): void {
    this.#texts.set(key, text);
    try {
      if (text === '') this.#storage?.removeItem(PREFIX + key);
      else this.#storage?.setItem(PREFIX + key, text);
    } catch {
      // The storage is full; the text stays in memory.
    }
  }
}
