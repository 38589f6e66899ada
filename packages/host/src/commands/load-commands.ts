import type { AgentHost } from '../agent-host.js';
import type { Configuration } from '../config/load-config.js';
import type { Notice } from '../notice.js';
import type { AgentServiceApi, HookServiceApi, McpServiceApi } from '../service-apis.js';
import { SessionCommands } from './session-commands.js';

export interface CommandSources {
  readonly configuration: Configuration;
  readonly host: () => AgentHost;
  readonly service: {
    readonly mcp: Pick<McpServiceApi, 'servers' | 'whenReady'>;
    readonly agent: AgentServiceApi;
    readonly hook: Pick<HookServiceApi, 'hooks'>;
  };
  readonly announce: (notice: Notice) => void;
  /** Workspace folders. Default: those of the configuration. */
  readonly roots?: string[];
  /** Default false. */
  readonly showsDialogs?: boolean;
  /** Default: no. */
  readonly confirmsQuit?: () => boolean;
}

export function loadCommands(sources: CommandSources): SessionCommands {
  const { configuration, host, service, announce, roots, showsDialogs = false, confirmsQuit = () => false } = sources;
  const { mcp, agent, hook } = service;
  return new SessionCommands({
    configuration,
    host,
    roots: roots ?? [configuration.cwd, ...configuration.additionalRoots],
    mcpServers: () => mcp.servers,
    mcpReady: () => mcp.whenReady(),
    agents: () => agent.agents,
    hooks: () => hook.hooks,
    showsDialogs,
    confirmsQuit,
    announce,
  });
}
