import { createChatSurface } from '../api/chat-surface.js';
import { createOpenApiSurface } from '../api/open-api-surface.js';
import { createCloudSurface } from '../cloud/cloud-surface.js';
import { createPageSurface } from '../page/page-surface.js';
import { createRemoteSurface } from '../remote/remote-surface.js';
import { createHealth } from './health.js';
import type { CreateSurface } from './surface.js';

/** Everything that the server answers, in the order in which it is asked. */
export const SURFACES: readonly CreateSurface[] = [
  createHealth,
  createChatSurface,
  createOpenApiSurface,
  createCloudSurface,
  createRemoteSurface,
  createPageSurface,
];
