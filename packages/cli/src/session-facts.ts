import type { AgentHost } from './agent-host.js';
import { type AgentOffer, offeredAgents } from './agents/offered-agents.js';
import type { Configuration } from './config/load-config.js';
import type { SessionFacts } from './dialects/system-messages.js';
import { readVersion } from './version.js';

export interface FactSources {
  readonly configuration: Configuration;
  readonly host: AgentHost;
  readonly mcpServers: SessionFacts['mcpServers'];
  readonly slashCommands: readonly string[];
  /** Subagents that are configured. */
  readonly agents: AgentOffer['agents'];
}

/** What holds of the session now. */
export function sessionFacts({ configuration, host, mcpServers, slashCommands, agents }: FactSources): SessionFacts {
  return {
    cwd: configuration.cwd,
    model: host.model,
    permissionMode: host.permissionMode,
    tools: host.toolNames,
    mcpServers,
    slashCommands,
    agents: offeredAgents({ agents, toolNames: host.toolNames }),
    version: readVersion(),
  };
}
