import type { TokenSource } from './server-client.js';

const KEY = 'qwen.token';

/** The token that the person was asked for: it lives as long as the tab and is in no address. */
export class SessionToken implements TokenSource {
  readonly #storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | undefined;
  #token: string | undefined;

  /** Without a storage, as in a browser that forbids it, the token is forgotten when the page is loaded again. */
  constructor(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | undefined) {
    this.#storage = storage;
    this.#token = storage?.getItem(KEY) ?? undefined;
  }

  get token(): string | undefined {
    return this.#token;
  }

  keep(token: string): void {
    this.#token = token;
    this.#storage?.setItem(KEY, token);
  }

  forget(): void {
    this.#token = undefined;
    this.#storage?.removeItem(KEY);
  }
}
