import { setTimeout as delay } from 'node:timers/promises';
import { AgentError } from '@qwen/protocol';
import type { TurnCommand, TurnDispatcher } from '../turn-dispatcher.js';
import type { LeaseManager } from './lease-manager.js';
import type { RedisRpc, RpcRequest } from './redis-rpc.js';
import type { Ack } from './rpc-messages.js';
import type { SessionLeases } from './session-leases.js';

export interface SharedDispatcherOptions {
  readonly leases: SessionLeases;
  readonly rpc: RedisRpc;
  /** Undefined if this process runs no turns. */
  readonly manager: LeaseManager | undefined;
}

/** Added to `leaseMs`, so that the lease of a dead holder expires before the caller gives up. */
const EXTRA_MS = 5000;
const STEP_MS = 250;

export class SharedDispatcher implements TurnDispatcher {
  readonly #options: SharedDispatcherOptions;

  constructor(options: SharedDispatcherOptions) {
    this.#options = options;
  }

  /** The script that stores a turn notifies the workers. */
  async enqueue(): Promise<void> {}

  /** Errors: `timeout`. */
  async dispatch(sessionId: string, command: TurnCommand): Promise<boolean> {
    const { leases } = this.#options;
    const givesUpAt = performance.now() + leases.leaseMs + EXTRA_MS;
    for (;;) {
      const holder = await leases.holderOf(sessionId);
      if (holder === undefined) return false;
      const timeoutMs = givesUpAt - performance.now();
      if (timeoutMs <= 0) throw new AgentError('timeout', 'The process that runs the session does not answer.');
      const ack = await this.#call({ to: holder, sessionId, command, timeoutMs });
      if (ack === 'yes' || ack === 'no') return ack === 'yes';
      await delay(STEP_MS);
    }
  }

  async close({ graceMs }: { readonly graceMs: number }): Promise<void> {
    const { manager, rpc } = this.#options;
    await manager?.close({ graceMs });
    rpc.close();
  }

  async #call(request: RpcRequest): Promise<Ack | 'absent'> {
    const { leases, manager, rpc } = this.#options;
    if (request.to === leases.processId && manager !== undefined) {
      return manager.handle(request.sessionId, request.command);
    }
    return rpc.call(request);
  }
}
