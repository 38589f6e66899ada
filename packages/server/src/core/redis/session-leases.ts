import * as z from 'zod/mini';
import type { EventLog } from '../../log/event-log.js';
import { parseReply } from '../../redis/redis-script.js';
import type { SessionKeyspace } from '../../store/redis/session-keyspace.js';
import * as scripts from './lease-scripts.js';

export interface Lease {
  readonly sessionId: string;
  /** Grows with each lease; writes under a smaller fence are refused. */
  readonly fence: number;
}

export interface SessionLeasesOptions {
  readonly keyspace: SessionKeyspace;
  readonly processId: string;
  /** Duration without renewal. */
  readonly leaseMs: number;
}

const takenReply = z.nullable(z.tuple([z.string(), z.int()]));
const lostReply = z.array(z.string());
const releaseReply = z.enum(['released', 'kept', 'lost']);
const holderReply = z.nullable(z.string());

/** A slow process cannot know that it lost a lease; the fence makes that safe. */
export class SessionLeases {
  readonly processId: string;
  readonly leaseMs: number;
  readonly #keyspace: SessionKeyspace;

  constructor({ keyspace, processId, leaseMs }: SessionLeasesOptions) {
    this.#keyspace = keyspace;
    this.processId = processId;
    this.leaseMs = leaseMs;
  }

  async take(): Promise<Lease | undefined> {
    const taken = parseReply(takenReply, await this.#keyspace.run(scripts.TAKE, [this.processId, this.leaseMs]));
    return taken === null ? undefined : { sessionId: taken[0], fence: taken[1] };
  }

  /** Returns lost sessions. */
  async renew(leases: readonly Lease[]): Promise<ReadonlySet<string>> {
    if (leases.length === 0) return new Set();
    const args = leases.flatMap(({ sessionId, fence }) => [sessionId, fence]);
    return new Set(parseReply(lostReply, await this.#keyspace.run(scripts.RENEW, [this.leaseMs, ...args])));
  }

  /** `idle`: `kept` if a turn is open. */
  async release({ sessionId, fence }: Lease, when: 'idle' | 'always'): Promise<'released' | 'kept' | 'lost'> {
    return parseReply(releaseReply, await this.#keyspace.run(scripts.RELEASE, [sessionId, fence, when]));
  }

  async holderOf(sessionId: string): Promise<string | undefined> {
    return parseReply(holderReply, await this.#keyspace.run(scripts.HOLDER, [sessionId])) ?? undefined;
  }
}

export function fencedLog(log: EventLog, fence: number): Pick<EventLog, 'append' | 'read' | 'seqOf'> {
  return {
    append: (sessionId, events, options) => log.append(sessionId, events, { ...options, fence }),
    read: (sessionId, options) => log.read(sessionId, options),
    seqOf: (sessionId, eventId) => log.seqOf(sessionId, eventId),
  };
}
