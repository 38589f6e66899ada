import { AgentError } from '@qwen/protocol';

interface Pending<Key, Answer> {
  readonly key: Key;
  readonly answer: PromiseWithResolvers<Answer>;
}

export interface WaitOptions {
  /** 0 disables it. */
  readonly timeoutMs: number;
  readonly what: string;
}

export class PendingAnswers<Key, Answer> {
  readonly #pending = new Set<Pending<Key, Answer>>();

  async wait(key: Key, { timeoutMs, what }: WaitOptions): Promise<Answer> {
    const answer = Promise.withResolvers<Answer>();
    const pending = { key, answer };
    this.#pending.add(pending);
    const expire = () => answer.reject(new AgentError('timeout', `${what} was not answered within ${timeoutMs} ms.`));
    const timer = timeoutMs > 0 ? setTimeout(expire, timeoutMs) : undefined;
    try {
      return await answer.promise;
    } finally {
      clearTimeout(timer);
      this.#pending.delete(pending);
    }
  }

  /** The oldest match; other answers are dropped. */
  settle(answer: Answer, matches: (key: Key) => boolean): void {
    for (const pending of this.#pending) {
      if (!matches(pending.key)) continue;
      this.#pending.delete(pending);
      pending.answer.resolve(answer);
      return;
    }
  }

  rejectAll(error: AgentError): void {
    for (const { answer } of this.#pending) answer.reject(error);
    this.#pending.clear();
  }
}
