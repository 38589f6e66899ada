import { randomUUID } from 'node:crypto';
import { AgentError } from '@qwen/protocol';
import type { Redis } from 'ioredis';
import { toRedisError } from '../../redis/redis-error.js';
import type { SessionKeys } from '../../store/redis/session-keyspace.js';
import type { TurnCommand } from '../turn-dispatcher.js';
import { type Ack, parseRpcMessage, type RpcMessage, toFailure } from './rpc-messages.js';

export interface RpcHandlers {
  /** Must not throw. */
  onTurn(sessionId: string): void;
  /** Errors are sent to the caller. */
  handle(sessionId: string, command: TurnCommand): Promise<Ack>;
}

export interface RedisRpcOptions {
  readonly processId: string;
  readonly keys: SessionKeys;
  readonly redis: Redis;
  /** `close()` disconnects it. */
  readonly subscriber: Redis;
}

export interface RpcRequest {
  readonly to: string;
  readonly sessionId: string;
  readonly command: TurnCommand;
  readonly timeoutMs: number;
}

/** Requests between processes over Redis channels, which store nothing: a lost answer runs into the deadline. */
export class RedisRpc {
  readonly #options: RedisRpcOptions;
  readonly #pending = new Map<string, PromiseWithResolvers<Ack>>();

  constructor(options: RedisRpcOptions) {
    this.#options = options;
  }

  async open(handlers: RpcHandlers): Promise<void> {
    const { subscriber, keys, processId } = this.#options;
    subscriber.on('message', (_channel, text) => void this.#receive(parseRpcMessage(text), handlers));
    try {
      await subscriber.subscribe(keys.rpc(processId));
    } catch (thrown) {
      throw toRedisError(thrown);
    }
  }

  /** `absent`: the process does not listen. Errors: `timeout`; those of the handler. */
  async call({ to, sessionId, command, timeoutMs }: RpcRequest): Promise<Ack | 'absent'> {
    const { processId } = this.#options;
    const id = randomUUID();
    const answered = Promise.withResolvers<Ack>();
    this.#pending.set(id, answered);
    const timer = setTimeout(() => {
      answered.reject(new AgentError('timeout', 'The process that runs the session does not answer.'));
    }, timeoutMs);
    try {
      const published = this.#publish(to, { kind: 'request', id, from: processId, sessionId, command });
      const reached = published.then<Ack | 'absent'>((listeners) => (listeners === 0 ? 'absent' : answered.promise));
      // Redis may not answer either.
      return await Promise.race([reached, answered.promise]);
    } finally {
      clearTimeout(timer);
      this.#pending.delete(id);
    }
  }

  close(): void {
    this.#options.subscriber.disconnect();
    const closed = new AgentError('channel_closed', 'The server is closed.');
    for (const { reject } of this.#pending.values()) reject(closed);
  }

  async #receive(message: RpcMessage | undefined, handlers: RpcHandlers): Promise<void> {
    if (message?.kind === 'turn') handlers.onTurn(message.sessionId);
    if (message?.kind === 'ack') this.#pending.get(message.id)?.resolve(message.ack);
    if (message?.kind === 'failure') this.#pending.get(message.id)?.reject(toFailure(message));
    if (message?.kind !== 'request') return;
    const { id, from, sessionId, command } = message;
    const answer: RpcMessage = await handlers.handle(sessionId, command).then(
      (ack) => ({ kind: 'ack', id, ack }),
      (thrown: unknown) => {
        const { code, message: text } = AgentError.from(thrown);
        return { kind: 'failure', id, code, message: text };
      },
    );
    // The caller has a deadline.
    await this.#publish(from, answer).catch(() => undefined);
  }

  async #publish(to: string, message: RpcMessage): Promise<number> {
    const { redis, keys } = this.#options;
    try {
      return await redis.publish(keys.rpc(to), JSON.stringify(message));
    } catch (thrown) {
      throw toRedisError(thrown);
    }
  }
}
