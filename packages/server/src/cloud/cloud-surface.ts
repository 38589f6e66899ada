import { CLOUD_PATH } from '@qwen/protocol/server';
import { toPublicText } from '../core/public-text.js';
import type { CreateSurface } from '../http/surface.js';
import { EventFramer } from '../sse/event-framer.js';
import { toEventId } from '../sse/last-event-id.js';
import { SessionFramers } from '../sse/session-framers.js';
import { toNoticeEvent } from '../sse/stream-notices.js';
import { toCloudSessionId } from '../store/session-ids.js';
import { toCloudError } from './cloud-error.js';
import { eventHandlers } from './event-handlers.js';
import { cloudRoutes, serveCloudRoutes } from './serve-cloud-routes.js';
import { sessionHandlers } from './session-handlers.js';

/** The cloud API. Always requires the token. */
export const createCloudSurface: CreateSurface = ({ sessions, tickets, onFault }) => ({
  app: serveCloudRoutes({
    handlers: {
      ...sessionHandlers(sessions, tickets),
      ...eventHandlers({ sessions, framers: new SessionFramers(createCloudFramer), pace: {} }),
    },
    onFault,
  }),
  routes: cloudRoutes(),
  tokenPrefixes: [CLOUD_PATH],
  failures: { prefix: CLOUD_PATH, toBody: toCloudError },
});

export function createCloudFramer(sessionId: string): EventFramer {
  const publicId = toCloudSessionId(sessionId);
  return new EventFramer({
    toId: toEventId,
    toEvent: (event) => ({ id: toEventId(event.seq), type: event.type, data: toPublicText(publicId, event) }),
    // `replay_complete` is not part of this API.
    toNotice: (notice) => (notice.kind === 'caught_up' ? undefined : toNoticeEvent(notice)),
  });
}
