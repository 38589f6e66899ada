import { randomUUID } from 'node:crypto';
import { AgentError, createDeferred, type Deferred } from '@qwen/protocol';
import type { Redis } from 'ioredis';
import { toRedisError } from '../../redis/redis-error.js';
import type { FactKeys } from '../../store/redis/fact-keys.js';
import type { TurnWord } from '../turn-dispatcher.js';
import { type Heard, type Post, toFailure, toPost } from './post-words.js';

/** What a process does with what it is told. None may throw. */
export interface PostReader {
  /** A session that we have got another turn. */
  onTurn(sessionId: string): void;
  /** A session may be ready for whoever takes it, or something was missed. */
  onWork(): void;
  /** Rejects with what the one who says the word is told. */
  hear(sessionId: string, word: TurnWord): Promise<Heard>;
}

export interface PostOfficeOptions {
  readonly processId: string;
  readonly keys: FactKeys;
  /** Sends. */
  readonly redis: Redis;
  /** Hears, and nothing else; closed with the office. */
  readonly subscriber: Redis;
}

export interface Letter {
  readonly to: string;
  readonly sessionId: string;
  readonly word: TurnWord;
  readonly timeoutMs: number;
}

/**
 * Words between processes over the channels of Redis, which keep nothing: a word that nobody listens to is known at once
 * to be lost, and an answer that is lost is missed at the deadline.
 */
export class PostOffice {
  readonly #options: PostOfficeOptions;
  readonly #awaited = new Map<string, Deferred<Heard>>();

  constructor(options: PostOfficeOptions) {
    this.#options = options;
  }

  /** Begins to listen. Errors: those of the store. */
  async open(reader: PostReader): Promise<void> {
    const { subscriber, keys, processId } = this.#options;
    subscriber.on('message', (channel, text) => {
      if (channel === keys.work) reader.onWork();
      else void this.#take(toPost(text), reader);
    });
    // What was said while nobody listened is not said again.
    subscriber.on('ready', () => reader.onWork());
    try {
      await subscriber.subscribe(keys.post(processId), keys.work);
    } catch (thrown) {
      throw toRedisError(thrown);
    }
  }

  /** Says a word and waits for the answer; `absent` when nobody listens there. Errors: `timeout`; what was thrown there. */
  async say({ to, sessionId, word, timeoutMs }: Letter): Promise<Heard | 'absent'> {
    const { processId } = this.#options;
    const id = randomUUID();
    const answered = createDeferred<Heard>();
    this.#awaited.set(id, answered);
    const timer = setTimeout(() => {
      answered.reject(new AgentError('timeout', 'The process that plays the session does not answer.'));
    }, timeoutMs);
    try {
      const listeners = await this.#send(to, { kind: 'word', id, from: processId, sessionId, word });
      return listeners === 0 ? 'absent' : await answered.promise;
    } finally {
      clearTimeout(timer);
      this.#awaited.delete(id);
    }
  }

  close(): void {
    this.#options.subscriber.disconnect();
    const closed = new AgentError('channel_closed', 'The server is closed.');
    for (const { reject } of this.#awaited.values()) reject(closed);
  }

  async #take(post: Post | undefined, reader: PostReader): Promise<void> {
    if (post?.kind === 'turn') reader.onTurn(post.sessionId);
    if (post?.kind === 'answer') this.#awaited.get(post.id)?.resolve(post.heard);
    if (post?.kind === 'failure') this.#awaited.get(post.id)?.reject(toFailure(post));
    if (post?.kind !== 'word') return;
    const { id, from, sessionId, word } = post;
    const answer: Post = await reader.hear(sessionId, word).then(
      (heard) => ({ kind: 'answer', id, heard }),
      (thrown: unknown) => {
        const { code, message } = AgentError.from(thrown);
        return { kind: 'failure', id, code, message };
      },
    );
    // Whoever asked has a deadline.
    await this.#send(from, answer).catch(() => undefined);
  }

  async #send(to: string, post: Post): Promise<number> {
    const { redis, keys } = this.#options;
    try {
      return await redis.publish(keys.post(to), JSON.stringify(post));
    } catch (thrown) {
      throw toRedisError(thrown);
    }
  }
}
