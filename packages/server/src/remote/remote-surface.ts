import { REMOTE_PATH } from '@qwen/protocol/server';
import { Hono } from 'hono';
import type { CreateSurface, SurfaceApp } from '../http/surface.js';
import { RemoteAgentRegistry } from './remote-agent-registry.js';
import { remoteRoutes } from './remote-routes.js';

const CLOSE_GRACE_MS = 1_000;

/** Always requires the token, because a CLI can do whatever the user of this server can. */
export const createRemoteSurface: CreateSurface = ({ launch, workspace = process.cwd(), onFault }) => {
  const registry = new RemoteAgentRegistry({ workspaceRoot: workspace, launch });
  const app: SurfaceApp = new Hono();
  app.route(REMOTE_PATH, remoteRoutes({ registry, onFault }));
  return {
    app,
    failures: { prefix: REMOTE_PATH, toBody: (error) => ({ error }) },
    tokenPrefixes: [REMOTE_PATH],
    ownBodyPrefixes: [REMOTE_PATH],
    close: () => registry.close({ graceMs: CLOSE_GRACE_MS }),
  };
};
