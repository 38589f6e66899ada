/**
 * Names of what a log has in Redis. All keys of a session carry its id as hash tag, so that a cluster keeps them in one
 * place and a script may touch them together.
 */
export class RedisKeys {
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Ids of all sessions, a sorted set in the order of the letters. */
  get sessions(): string {
    return `${this.#prefix}sessions`;
  }

  meta(sessionId: string): string {
    return `${this.#prefix}{${sessionId}}:meta`;
  }

  events(sessionId: string): string {
    return `${this.#prefix}{${sessionId}}:events`;
  }

  /** In the order in which the scripts take them. */
  ofSession(sessionId: string): readonly string[] {
    const ids = `${this.#prefix}{${sessionId}}:ids`;
    return [this.meta(sessionId), this.events(sessionId), ids, `${this.#prefix}{${sessionId}}:writers`];
  }

  /** The stream that wakes the blocking read of one process. */
  wake(processId: string): string {
    return `${this.#prefix}wake:${processId}`;
  }
}
