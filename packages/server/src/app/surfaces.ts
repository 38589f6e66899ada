import { createChatSurface } from '../api/chat-surface.js';
import { createOpenApiSurface } from '../api/open-api-surface.js';
import { createCloudSurface } from '../cloud/cloud-surface.js';
import type { ServerRole } from '../core/server-role.js';
import { createPageSurface } from '../page/page-surface.js';
import { createRemoteSurface } from '../remote/remote-surface.js';
import { createHealth } from './health.js';
import type { CreateSurface } from './surface.js';

/** Everything that the server answers, in the order in which it is asked. */
const SURFACES: readonly CreateSurface[] = [
  createHealth,
  createChatSurface,
  createOpenApiSurface,
  createCloudSurface,
  createRemoteSurface,
  createPageSurface,
];

/** What a process of this role answers. Queries of apps elsewhere run here, so a front has none; a worker only says how it is. */
export function surfacesOf(role: ServerRole): readonly CreateSurface[] {
  if (role === 'worker') return [createHealth];
  return role === 'front' ? SURFACES.filter((create) => create !== createRemoteSurface) : SURFACES;
}
