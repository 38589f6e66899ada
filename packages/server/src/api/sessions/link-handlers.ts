import { AgentError } from '@qwen/protocol';
import type { SessionService } from '../../core/session-service.js';
import type { ShareLinks } from '../../guard/share-links.js';
import type { ShareLink } from '../../store/session-record.js';
import type { ChatHandlersOf } from '../http/chat-call.js';

type LinkRoutes = '/api/session/links/create' | '/api/session/links/list' | '/api/session/links/revoke';

const HOUR_MS = 60 * 60 * 1000;
const WEEK_HOURS = 7 * 24;
const MAX_LINKS = 20;

export function linkHandlers(
  sessions: Pick<SessionService, 'getOwned' | 'configure'>,
  links: Pick<ShareLinks, 'create' | 'ticketOf'>,
): ChatHandlersOf<LinkRoutes> {
  const show = (sessionId: string, { id, createdAt, expiresAt }: ShareLink) => ({
    id,
    ticket: links.ticketOf(sessionId, id),
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
  });
  const validOf = async (sessionId: string) => {
    const { shareLinks = [] } = await sessions.getOwned(sessionId);
    return shareLinks.filter(({ expiresAt }) => expiresAt > Date.now());
  };
  return {
    '/api/session/links/create': async ({ sessionId, lifetimeHours = WEEK_HOURS }) => {
      const known = await validOf(sessionId);
      if (known.length >= MAX_LINKS) {
        throw new AgentError('session_busy', `The session has ${MAX_LINKS} links. Revoke one first.`);
      }
      const link = links.create(lifetimeHours * HOUR_MS);
      await sessions.configure(sessionId, { shareLinks: [...known, link] });
      return show(sessionId, link);
    },
    '/api/session/links/list': async ({ sessionId }) => ({
      links: (await validOf(sessionId)).map((link) => show(sessionId, link)),
    }),
    '/api/session/links/revoke': async ({ sessionId, linkId }) => {
      const shareLinks = (await validOf(sessionId)).filter(({ id }) => id !== linkId);
      await sessions.configure(sessionId, { shareLinks });
      return { success: true };
    },
  };
}
