import * as z from 'zod/mini';
import type { EventLog } from '../../log/event-log.js';
import { parseReply } from '../../redis/redis-script.js';
import type { Facts } from '../../store/redis/facts.js';
import * as scripts from './lease-scripts.js';

/** The right to play the turns of a session, for a while. */
export interface Lease {
  readonly sessionId: string;
  /** Its number in the session: a later lease has a larger one, and what comes under a smaller one is refused. */
  readonly fence: number;
}

export interface SessionLeasesOptions {
  readonly facts: Facts;
  readonly processId: string;
  /** How long a lease holds without being renewed, in milliseconds. */
  readonly leaseMs: number;
}

const takenReply = z.nullable(z.tuple([z.string(), z.int()]));
const lostReply = z.array(z.string());
const releaseReply = z.enum(['released', 'kept', 'lost']);
const holderReply = z.nullable(z.string());

/**
 * Which process has which session. Everything else follows from the fence: a process that was only slow cannot know that
 * it lost a lease, but Redis does. Errors: those of the store.
 */
export class SessionLeases {
  readonly processId: string;
  readonly leaseMs: number;
  readonly #facts: Facts;

  constructor({ facts, processId, leaseMs }: SessionLeasesOptions) {
    this.#facts = facts;
    this.processId = processId;
    this.leaseMs = leaseMs;
  }

  /** A session with work that nobody has, or whose holder is gone. */
  async take(): Promise<Lease | undefined> {
    const taken = parseReply(takenReply, await this.#facts.run(scripts.TAKE, [this.processId, this.leaseMs]));
    return taken === null ? undefined : { sessionId: taken[0], fence: taken[1] };
  }

  /** Gives the sessions among them that are ours no more. */
  async renew(leases: readonly Lease[]): Promise<ReadonlySet<string>> {
    if (leases.length === 0) return new Set();
    const args = leases.flatMap(({ sessionId, fence }) => [sessionId, fence]);
    return new Set(parseReply(lostReply, await this.#facts.run(scripts.RENEW, [this.leaseMs, ...args])));
  }

  /** `idle`: unless a turn is open, which then says `kept`. */
  async release({ sessionId, fence }: Lease, when: 'idle' | 'always'): Promise<'released' | 'kept' | 'lost'> {
    return parseReply(releaseReply, await this.#facts.run(scripts.RELEASE, [sessionId, fence, when]));
  }

  async holderOf(sessionId: string): Promise<string | undefined> {
    return parseReply(holderReply, await this.#facts.run(scripts.HOLDER, [sessionId])) ?? undefined;
  }
}

/** The log as a process may write it under its lease of a session. Whoever has the log closes it. */
export function fencedLog(log: EventLog, fence: number): Pick<EventLog, 'append' | 'read' | 'seqOf'> {
  return {
    append: (sessionId, events) => log.append(sessionId, events, { fence }),
    read: (sessionId, options) => log.read(sessionId, options),
    seqOf: (sessionId, eventId) => log.seqOf(sessionId, eventId),
  };
}
