import type { Configuration } from '../config/load-config.js';
import { serverSandbox } from '../config/sandbox-choice.js';
import type { ServerContext } from './connect-server.js';
import type { McpConnector } from './mcp-connection.js';

export function serverContext(configuration: Configuration): ServerContext {
  const { cwd, configDir } = configuration;
  return {
    cwd,
    stateDirectory: configDir,
    environment: process.env,
    traceOf: (callId) => configuration.telemetry?.traceOf(callId),
    sandboxFor: (requested) => serverSandbox(requested, configuration),
  };
}

export function lazyConnector(context: () => ServerContext): McpConnector {
  let loaded: Promise<McpConnector> | undefined;
  const load = () => (loaded ??= import('./connect-server.js').then((module) => new module.ServerConnector(context())));
  return {
    connect: async (options) => (await load()).connect(options),
    recall: async (options) => (await load()).recall(options),
  };
}
