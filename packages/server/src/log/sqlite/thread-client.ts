import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { AgentError } from '@qwen/protocol';
import type { ThreadAnswer, ThreadVerb, ThreadVerbs } from './thread-messages.js';

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: AgentError) => void;
}

/** Calls are answered in order. */
export class ThreadClient {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  readonly #gone: Promise<void>;
  #failure: AgentError | undefined;

  private constructor(path: string) {
    // Next to this file, in source and in the package.
    const file = new URL(`./database-thread${extname(fileURLToPath(import.meta.url))}`, import.meta.url);
    this.#worker = new Worker(file, { workerData: { path }, execArgv: ['--disable-warning=ExperimentalWarning'] });
    this.#worker.on('message', (answer: ThreadAnswer) => this.#settle(answer));
    this.#worker.on('error', (error) => this.#fail(AgentError.from(error, 'storage_unwritable')));
    this.#gone = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#fail(new AgentError('channel_closed', 'The event log thread has exited.'));
        resolve();
      });
    });
  }

  static async open(path: string): Promise<ThreadClient> {
    const client = new ThreadClient(path);
    try {
      await new Promise((resolve, reject) => {
        client.#waiting.push({ resolve, reject });
      });
      return client;
    } catch (error) {
      await client.#worker.terminate();
      throw error;
    }
  }

  call<Verb extends ThreadVerb>(
    verb: Verb,
    input: Parameters<ThreadVerbs[Verb]>[0],
  ): Promise<ReturnType<ThreadVerbs[Verb]>> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const answered = new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
    this.#worker.postMessage({ verb, input });
    return answered as Promise<ReturnType<ThreadVerbs[Verb]>>;
  }

  async close(): Promise<void> {
    if (this.#failure === undefined) await this.call('close', null);
    await this.#gone;
  }

  #settle(answer: ThreadAnswer): void {
    const waiting = this.#waiting.shift();
    if ('error' in answer) waiting?.reject(new AgentError(answer.error.code, answer.error.message));
    else waiting?.resolve(answer.result);
  }

  #fail(error: AgentError): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}
