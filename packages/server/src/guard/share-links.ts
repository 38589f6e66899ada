import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { RequestContext } from '../http/request-context.js';
import type { SessionRecord, ShareLink } from '../store/session-record.js';
import type { Caller } from './access-tokens.js';

const PREFIX = 'share_';
/** What a page needs to show a session. Files, hints and lists are not part of it. */
const ROUTES: ReadonlySet<string> = new Set([
  '/api/chat/events',
  '/api/chat/follow',
  '/api/session/get',
  '/api/whoami',
]);

export interface ShareLinksOptions {
  /** The token of the administrator. A new one invalidates all links. */
  readonly token: string;
  /** Errors: `session_not_found`. */
  readonly findSession: (sessionId: string) => Promise<Pick<SessionRecord, 'shareLinks'>>;
}

/**
 * Tickets with which anyone can read one session. They are signed, so that guessing one never reaches the store, and
 * valid as long as the session lists their link.
 */
export class ShareLinks {
  readonly #key: Buffer;
  readonly #findSession: ShareLinksOptions['findSession'];

  constructor({ token, findSession }: ShareLinksOptions) {
    this.#key = createHmac('sha256', token).update('qwen share links').digest();
    this.#findSession = findSession;
  }

  /** The caller stores it. */
  create(lifetimeMs: number): ShareLink {
    const createdAt = Date.now();
    return { id: randomBytes(8).toString('hex'), createdAt, expiresAt: createdAt + lifetimeMs };
  }

  ticketOf(sessionId: string, linkId: string): string {
    const claims = Buffer.from(JSON.stringify([sessionId, linkId])).toString('base64url');
    return `${PREFIX}${claims}.${this.#sign(claims)}`;
  }

  /** Undefined if it is not a valid ticket, or not one for this route. */
  async redeem(ticket: string, request: RequestContext | undefined): Promise<Caller | undefined> {
    if (!ticket.startsWith(PREFIX) || request?.route === undefined || !ROUTES.has(request.route.path)) return undefined;
    const [claims = '', signature = ''] = ticket.slice(PREFIX.length).split('.');
    const wanted = Buffer.from(this.#sign(claims));
    const given = Buffer.from(signature);
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
    const [sessionId, linkId]: unknown[] = JSON.parse(Buffer.from(claims, 'base64url').toString());
    if (typeof sessionId !== 'string' || typeof linkId !== 'string') return undefined;
    const isValid = async () => {
      const { shareLinks = [] } = await this.#findSession(sessionId);
      return shareLinks.some(({ id, expiresAt }) => id === linkId && expiresAt > Date.now());
    };
    if (!(await isValid().catch(() => false))) return undefined;
    request.onlySessionId = sessionId;
    request.shareLink = { isValid };
    return { name: `link:${linkId}`, scopes: ['read'], limits: {} };
  }

  #sign(claims: string): string {
    return createHmac('sha256', this.#key).update(claims).digest('base64url');
  }
}
