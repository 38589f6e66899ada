import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { AgentError } from '@qwen/protocol';
import { MAX_LINES_PER_FILE } from './search-engine.js';

/** `number` counts from 1. */
export interface MatchedLine {
  readonly number: number;
  readonly text: string;
}

/** Per batch. */
const DEFAULT_LIMIT_MS = 5000;

export interface LineMatcherOptions {
  readonly expression: RegExp;
  readonly limitMs?: number;
}

/** Matches on a worker thread, which ends after `limitMs`. One batch at a time. */
export class LineMatcher implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #limitMs: number;

  constructor({ expression, limitMs = DEFAULT_LIMIT_MS }: LineMatcherOptions) {
    this.#limitMs = limitMs;
    // A worker from text needs no file in a bundle.
    this.#worker = new Worker(`(${serveMatches.toString()})()`, {
      eval: true,
      env: {},
      workerData: { expression, maxLines: MAX_LINES_PER_FILE },
    });
  }

  /** Throws `search_timeout`, after which the matcher cannot be used. */
  async match(texts: readonly string[]): Promise<readonly (readonly MatchedLine[])[]> {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), this.#limitMs);
    try {
      const answer = once(this.#worker, 'message', { signal: deadline.signal });
      this.#worker.postMessage(texts);
      const [found] = (await answer) as [readonly (readonly MatchedLine[])[]];
      return found;
    } catch (error) {
      await this.#worker.terminate();
      throw deadline.signal.aborted ? tooSlow(this.#limitMs) : AgentError.from(error, 'tool_failed');
    } finally {
      clearTimeout(timer);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}

function tooSlow(limitMs: number): AgentError {
  return new AgentError(
    'search_timeout',
    `The search was stopped because the pattern takes more than ${limitMs / 1000} s. Use a simpler pattern.`,
    { data: { limitMs } },
  );
}

/** Self-contained, because it runs in the thread. */
function serveMatches(): void {
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads');
  const { expression, maxLines } = workerData as { expression: RegExp; maxLines: number };
  parentPort?.on('message', (texts: readonly string[]) => {
    const found = texts.map((text) => {
      const lines: { number: number; text: string }[] = [];
      let number = 0;
      for (let start = 0; start < text.length && lines.length < maxLines; ) {
        const feed = text.indexOf('\n', start);
        const end = feed === -1 ? text.length : feed;
        const line = text.slice(start, text.charCodeAt(end - 1) === 13 && end > start ? end - 1 : end);
        number += 1;
        if (expression.test(line)) lines.push({ number, text: line });
        start = end + 1;
      }
      return lines;
    });
    parentPort.postMessage(found);
  });
}
