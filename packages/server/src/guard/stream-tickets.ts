import { createHmac, timingSafeEqual } from 'node:crypto';
import { AgentError } from '@qwen/protocol';
import type { RequestContext } from '../http/request-context.js';
import { type AccessTokens, ADMIN, type Caller, mayDo } from './access-tokens.js';

/** A browser's `EventSource` cannot send a header, and reconnects with the same URL. */
const LIFETIME_MS = 10 * 60_000;

export interface StreamTicket {
  readonly ticket: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/**
 * Tickets for the streams of one session, in place of a token in the URL. They are signed with a key that all processes
 * with the same token share, and end with the token that created them.
 */
export class StreamTickets {
  readonly #key: Buffer;
  readonly #tokens: AccessTokens | undefined;

  constructor(token: string, tokens: AccessTokens | undefined) {
    this.#key = createHmac('sha256', token).update('qwen stream tickets').digest();
    this.#tokens = tokens;
  }

  create(sessionId: string, caller: Caller): StreamTicket {
    const expiresAt = Date.now() + LIFETIME_MS;
    const isAdmin = mayDo(caller, 'admin');
    const claims = Buffer.from(JSON.stringify([sessionId, expiresAt, caller.id ?? null, isAdmin])).toString(
      'base64url',
    );
    return { ticket: `${claims}.${this.#sign(claims)}`, expiresAt };
  }

  /** Undefined without a ticket. Errors: `unauthorized`, also for another session or a route that is no stream. */
  async redeem(ticket: string | undefined, request: RequestContext | undefined): Promise<Caller | undefined> {
    if (ticket === undefined) return undefined;
    const [claims = '', signature = ''] = ticket.split('.');
    const wanted = Buffer.from(this.#sign(claims));
    const given = Buffer.from(signature);
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw refuse();
    const [sessionId, expiresAt, id, isAdmin]: unknown[] = JSON.parse(Buffer.from(claims, 'base64url').toString());
    if (typeof expiresAt !== 'number' || expiresAt <= Date.now() || typeof sessionId !== 'string') throw refuse();
    if (request?.route?.path.endsWith('/stream') !== true || request.route.method !== 'GET') throw refuse();
    const creator: Caller | undefined = typeof id === 'string' ? await this.#tokens?.findById(id) : ADMIN;
    if (creator === undefined || !mayDo(creator, 'read')) throw refuse();
    request.onlySessionId = sessionId;
    return { ...creator, scopes: isAdmin === true && mayDo(creator, 'admin') ? ['admin'] : ['read'] };
  }

  #sign(claims: string): string {
    return createHmac('sha256', this.#key).update(claims).digest('base64url');
  }
}

function refuse(): AgentError {
  return new AgentError('unauthorized', 'The ticket is invalid, has expired, or is for another stream.');
}
