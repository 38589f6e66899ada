import { REMOTE_PATH } from '@qwen/protocol/server';
import { Hono } from 'hono';
import type { CreateSurface, SurfaceApp } from '../http/surface.js';
import { RemoteDesk } from './remote-desk.js';
import { remoteRoutes } from './remote-routes.js';

/** What the CLIs get to leave by themselves when the server ends, in milliseconds. */
const CLOSE_GRACE_MS = 1_000;

/**
 * Queries of apps elsewhere whose CLIs run here. Always behind the token: whoever drives a CLI has whatever the user of
 * this server has.
 */
export const createRemoteSurface: CreateSurface = ({ launch, workspace = process.cwd(), onFault }) => {
  const desk = new RemoteDesk({ workspaceRoot: workspace, launch });
  const app: SurfaceApp = new Hono();
  app.route(REMOTE_PATH, remoteRoutes({ desk, onFault }));
  return {
    app,
    failures: { prefix: REMOTE_PATH, toBody: (error) => ({ error }) },
    tokenPrefixes: [REMOTE_PATH],
    ownBodyPrefixes: [REMOTE_PATH],
    close: () => desk.close({ graceMs: CLOSE_GRACE_MS }),
  };
};
