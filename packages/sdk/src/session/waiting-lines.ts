import { AgentError, createDeferred, type Deferred } from '@qwen/protocol';

interface Waiting<Key, Line> {
  readonly key: Key;
  readonly answer: Deferred<Line>;
}

export interface WaitOptions {
  /** Milliseconds until the wait rejects with `timeout`; 0 means for ever. */
  readonly timeoutMs: number;
  /** What is waited for, for the words of the error. */
  readonly what: string;
}

/** Requests that each wait for one line, in the order in which they were made. Every wait settles exactly once. */
export class WaitingLines<Key, Line> {
  readonly #waiting = new Set<Waiting<Key, Line>>();

  /** Waits for the line of a request. */
  async wait(key: Key, { timeoutMs, what }: WaitOptions): Promise<Line> {
    const answer = createDeferred<Line>();
    const waiting = { key, answer };
    this.#waiting.add(waiting);
    const late = () => answer.reject(new AgentError('timeout', `${what} was not answered within ${timeoutMs} ms.`));
    const timer = timeoutMs > 0 ? setTimeout(late, timeoutMs) : undefined;
    try {
      return await answer.promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(waiting);
    }
  }

  /** Gives a line to the oldest request that it answers; a line that answers none is dropped. */
  settle(line: Line, answers: (key: Key) => boolean): void {
    for (const waiting of this.#waiting) {
      if (!answers(waiting.key)) continue;
      this.#waiting.delete(waiting);
      waiting.answer.resolve(line);
      return;
    }
  }

  /** No line will come any more. */
  rejectAll(error: AgentError): void {
    for (const { answer } of this.#waiting) answer.reject(error);
    this.#waiting.clear();
  }
}
