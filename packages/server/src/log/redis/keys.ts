/** The id of a session is the hash tag of its keys. */
export class RedisKeys {
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** A sorted set in lexicographic order. */
  get sessions(): string {
    return `${this.#prefix}sessions`;
  }

  meta(sessionId: string): string {
    return `${this.#prefix}{${sessionId}}:meta`;
  }

  events(sessionId: string): string {
    return `${this.#prefix}{${sessionId}}:events`;
  }

  /** In the order of KEYS in the scripts. */
  ofSession(sessionId: string): readonly string[] {
    const ids = `${this.#prefix}{${sessionId}}:ids`;
    return [this.meta(sessionId), this.events(sessionId), ids, `${this.#prefix}{${sessionId}}:writers`];
  }

  wake(processId: string): string {
    return `${this.#prefix}wake:${processId}`;
  }
}
