import type { Configuration } from '../config/load-config.js';
import type { ServerSurroundings } from './connect-server.js';
import type { McpConnector } from './mcp-connection.js';

/** What the servers of one run are started in. */
export function serverSurroundings({ cwd, qwenHome }: Configuration): ServerSurroundings {
  return { cwd, stateDirectory: qwenHome, environment: process.env };
}

/** The way to servers, whose code loads when a server is first wanted (O-33). */
export function lazyConnector(surroundings: () => ServerSurroundings): McpConnector {
  let loaded: Promise<McpConnector> | undefined;
  const load = () =>
    (loaded ??= import('./connect-server.js').then((module) => new module.ServerConnector(surroundings())));
  return {
    connect: async (options) => (await load()).connect(options),
    recall: async (options) => (await load()).recall(options),
  };
}
