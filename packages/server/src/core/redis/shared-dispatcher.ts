import { setTimeout as delay } from 'node:timers/promises';
import { AgentError } from '@qwen/protocol';
import type { TurnRecord } from '../../store/session-record.js';
import type { TaskReply, TurnCommand, TurnDispatcher } from '../turn-dispatcher.js';
import type { RedisRpc, RpcRequest } from './redis-rpc.js';
import type { Ack } from './rpc-messages.js';
import type { SessionHolders } from './session-holders.js';
import type { SessionQueue } from './session-queue.js';
import type { SessionWorker } from './session-worker.js';

export interface SharedDispatcherOptions {
  readonly queue: SessionQueue;
  readonly holders: SessionHolders;
  readonly rpc: RedisRpc;
  /** Undefined if this process runs no turns. */
  readonly worker: SessionWorker | undefined;
  /** How long a dead process keeps its sessions, in milliseconds. */
  readonly leaseMs: number;
}

/** Added to `leaseMs`, so that another worker has a session of a dead one before the caller gives up. */
const EXTRA_MS = 5000;
const STEP_MS = 250;

export class SharedDispatcher implements TurnDispatcher {
  readonly #options: SharedDispatcherOptions;

  constructor(options: SharedDispatcherOptions) {
    this.#options = options;
  }

  /** The script that stores a turn notifies the process that has the session. */
  async enqueue({ sessionId }: TurnRecord): Promise<void> {
    await this.#options.queue.add(sessionId);
  }

  /** Errors: `timeout`; those of the worker. */
  async dispatch(sessionId: string, command: TurnCommand): Promise<boolean | TaskReply> {
    const { holders, leaseMs } = this.#options;
    const givesUpAt = performance.now() + leaseMs + EXTRA_MS;
    for (;;) {
      const holder = await holders.find(sessionId);
      if (holder === undefined) return false;
      const timeoutMs = givesUpAt - performance.now();
      if (timeoutMs <= 0) throw new AgentError('timeout', 'The process that runs the session does not answer.');
      const request = { sessionId, command, timeoutMs };
      const ack = holder === 'lost' ? 'absent' : await this.#call({ to: holder.processId, ...request });
      if (ack === 'yes' || ack === 'no') return ack === 'yes';
      if (typeof ack === 'object') return ack;
      await delay(STEP_MS);
    }
  }

  async close({ graceMs }: { readonly graceMs: number }): Promise<void> {
    const { worker, rpc, queue } = this.#options;
    await worker?.close({ graceMs });
    rpc.close();
    await queue.close().catch(() => undefined);
  }

  async #call(request: RpcRequest): Promise<Ack | 'absent'> {
    const { holders, worker, rpc } = this.#options;
    if (request.to === holders.processId && worker !== undefined) {
      return worker.handle(request.sessionId, request.command);
    }
    return rpc.call(request);
  }
}
