import { CLOUD_PATH } from '@qwen/protocol/server';
import type { CreateSurface } from '../app/surface.js';
import { SessionFramers } from '../sse/session-framers.js';
import { toCloudError } from './cloud-error.js';
import { createCloudFramer } from './cloud-framer.js';
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
