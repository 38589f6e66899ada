import * as z from 'zod/mini';
import type { Fence } from '../../redis/fence.js';
import { parseReply } from '../../redis/redis-script.js';
import * as scripts from '../../store/redis/scripts.js';
import type { SessionKeyspace } from '../../store/redis/session-keyspace.js';

export interface SessionClaim {
  readonly sessionId: string;
  readonly lockKey: string;
  /** Token of the job. */
  readonly token: string;
  readonly lockMs: number;
}

const fenceReply = z.string();
const holderReply = z.nullable(z.string());

/** Which process has a session, and the fence of what it writes. */
export class SessionHolders {
  readonly processId: string;
  readonly #keyspace: SessionKeyspace;

  constructor(keyspace: SessionKeyspace, processId: string) {
    this.#keyspace = keyspace;
    this.processId = processId;
  }

  /** Also renews the lock of the job. Errors: `session_not_found`; `lease_lost` if another worker has the job. */
  async claim({ sessionId, lockKey, token, lockMs }: SessionClaim): Promise<Fence> {
    const args = [sessionId, lockKey, token, lockMs, this.processId];
    return parseReply(fenceReply, await this.#keyspace.run(scripts.CLAIM, args, sessionId));
  }

  /** Does nothing if another process has the session. */
  async release(sessionId: string, fence: Fence): Promise<void> {
    await this.#keyspace.run(scripts.RELEASE, [sessionId, fence], sessionId);
  }

  /** `lost`: its process has died or lost it, and no other has taken it over. */
  async find(sessionId: string): Promise<{ readonly processId: string } | 'lost' | undefined> {
    const reply = parseReply(holderReply, await this.#keyspace.run(scripts.HOLDER, [sessionId], sessionId));
    if (reply === null) return undefined;
    return reply === '' ? 'lost' : { processId: reply };
  }
}
