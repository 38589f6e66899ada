import type { SDKMessage, SDKResultMessage, SDKUserMessage } from './messages.js';
import { type Options, type Query, query } from './query.js';

/** Options of a session that is used with `send()` and `stream()`. */
export type SDKSessionOptions = Options;

/** A conversation of several turns. The caller closes it. */
export interface SDKSession extends AsyncDisposable {
  /** Throws before the first message of a new session has arrived. */
  readonly sessionId: string;
  send(message: string | SDKUserMessage): Promise<void>;
  /** The messages of the next turn, up to its result. */
  stream(): AsyncGenerator<SDKMessage, void>;
  close(): void;
}

class Session implements SDKSession {
  readonly #running: Query;
  readonly #waiting: SDKUserMessage[] = [];
  #wake: () => void = () => undefined;
  #isClosed = false;

  constructor(options: SDKSessionOptions) {
    this.#running = query({ prompt: this.#prompts(), options });
  }

  get sessionId(): string {
    const { sessionId } = this.#running;
    if (sessionId === undefined) throw new Error('The session has no ID before its first message arrives.');
    return sessionId;
  }

  async send(message: string | SDKUserMessage): Promise<void> {
    if (this.#isClosed) throw new Error('The session is closed.');
    const prompt: SDKUserMessage =
      typeof message === 'string'
        ? { type: 'user', message: { role: 'user', content: message }, parent_tool_use_id: null }
        : message;
    this.#waiting.push(prompt);
    this.#wake();
  }

  async *stream(): AsyncGenerator<SDKMessage, void> {
    for (;;) {
      const { value, done } = await this.#running.next();
      if (done === true) return;
      yield value;
      if (value.type === 'result') return;
    }
  }

  close(): void {
    this.#end();
    void this.#running.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end();
    await this.#running.close();
  }

  #end(): void {
    this.#isClosed = true;
    this.#wake();
  }

  async *#prompts(): AsyncGenerator<SDKUserMessage> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) yield next;
      else if (this.#isClosed) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}

/**
 * Starts a session of several turns, as the Claude Agent SDK 0.2 does.
 *
 * @example
 * import { unstable_v2_createSession } from '@qwen/sdk/claude';
 *
 * await using session = unstable_v2_createSession({ maxTurns: 5 });
 * await session.send('What does this project do?');
 * for await (const message of session.stream()) console.log(message.type);
 */
export function unstable_v2_createSession(options: SDKSessionOptions = {}): SDKSession {
  return new Session(options);
}

/**
 * Resumes a session of several turns.
 *
 * @example
 * import { listSessions, unstable_v2_resumeSession } from '@qwen/sdk/claude';
 *
 * const [latest] = await listSessions({ limit: 1 });
 * if (latest) {
 *   await using session = unstable_v2_resumeSession(latest.sessionId);
 *   await session.send('Go on.');
 *   for await (const message of session.stream()) console.log(message.type);
 * }
 */
export function unstable_v2_resumeSession(sessionId: string, options: SDKSessionOptions = {}): SDKSession {
  return new Session({ ...options, resume: sessionId });
}

/**
 * Runs one prompt and resolves with its result.
 *
 * @example
 * import { unstable_v2_prompt } from '@qwen/sdk/claude';
 *
 * const result = await unstable_v2_prompt('What does this project do?', { maxTurns: 5 });
 * if (result.subtype === 'success') console.log(result.result);
 */
export async function unstable_v2_prompt(message: string, options: SDKSessionOptions = {}): Promise<SDKResultMessage> {
  for await (const received of query({ prompt: message, options })) {
    if (received.type === 'result') return received;
  }
  throw new Error('The query ended without a result.');
}
