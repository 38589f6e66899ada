import type { TokenSource } from './server-client.js';

const KEY = 'qwen.token';

export class SessionToken implements TokenSource {
  readonly #storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | undefined;
  #token: string | undefined;

  /** Without storage, a reload forgets the token. */
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
