import type { TokenSource } from './server-client.js';

const KEY = 'qwen.token';

export class SessionToken implements TokenSource {
  readonly #storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | undefined;
  /** Of a share link, which is never stored. */
  #ticket: string | undefined;
  #token: string | undefined;

  /** Without storage, a reload forgets the token. */
  constructor(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | undefined, ticket?: string) {
    this.#storage = storage;
    this.#ticket = ticket;
    this.#token = storage?.getItem(KEY) ?? undefined;
  }

  get token(): string | undefined {
    return this.#ticket ?? this.#token;
  }

  keep(token: string): void {
    this.#ticket = undefined;
    this.#token = token;
    this.#storage?.setItem(KEY, token);
  }

  forget(): void {
    if (this.#ticket !== undefined) return;
    this.#token = undefined;
    this.#storage?.removeItem(KEY);
  }
}
