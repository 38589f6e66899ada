import { CLOUD_PATH } from '@qwen/protocol/server';
import { toPublicText } from '../core/public-text.js';
import type { CreateSurface } from '../http/surface.js';
import { EventFramer } from '../sse/event-framer.js';
import { toEventId } from '../sse/last-event-id.js';
import { toRemarkEvent } from '../sse/remarks.js';
import { SessionFramers } from '../sse/session-framers.js';
import { toCloudSessionId } from '../store/session-ids.js';
import { toCloudError } from './cloud-error.js';
import { eventHandlers } from './event-handlers.js';
import { serveCloudRoutes } from './serve-cloud-routes.js';
import { sessionHandlers } from './session-handlers.js';

/** The cloud API (group R) as a surface of the server; always behind the token. */
export const createCloudSurface: CreateSurface = ({ sessions, onFault }) => ({
  app: serveCloudRoutes({
    handlers: {
      ...sessionHandlers(sessions),
      ...eventHandlers({ sessions, framers: new SessionFramers(createCloudFramer), pace: {} }),
    },
    onFault,
  }),
  tokenPrefixes: [CLOUD_PATH],
  failures: { prefix: CLOUD_PATH, toBody: toCloudError },
});

/** How the cloud API shows the events of a session. */
export function createCloudFramer(sessionId: string): EventFramer {
  const shownId = toCloudSessionId(sessionId);
  return new EventFramer({
    toId: toEventId,
    toEvent: (event) => ({ id: toEventId(event.seq), type: event.type, data: toPublicText(shownId, event) }),
    // Where live begins is nothing that the documents know.
    toRemark: (remark) => (remark.kind === 'caught_up' ? undefined : toRemarkEvent(remark)),
  });
}
