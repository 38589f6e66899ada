import { QWEN_VERSION } from '@qwen/protocol';
import type { AgentHost } from './agent-host.js';
import { type AgentOffer, offeredAgents } from './agents/offered-agents.js';
import type { Configuration } from './config/load-config.js';

/** The members of `system/init`. */
export interface InitInfo {
  readonly cwd: string;
  readonly model: string;
  readonly permissionMode: string;
  /** The mode of the sandbox, `off`, or `unavailable` if it does not work. */
  readonly sandbox: string;
  readonly tools: readonly string[];
  readonly mcpServers: readonly { readonly name: string; readonly status: string }[];
  readonly slashCommands: readonly string[];
  readonly agents: readonly string[];
  readonly skills: readonly string[];
  readonly plugins: readonly { readonly name: string; readonly path: string }[];
  readonly version: string;
}

export interface FactSources {
  readonly configuration: Configuration;
  readonly host: AgentHost;
  readonly mcpServers: InitInfo['mcpServers'];
  readonly slashCommands: readonly string[];
  /** Configured subagents. */
  readonly agents: AgentOffer['agents'];
}

export function sessionFacts({ configuration, host, mcpServers, slashCommands, agents }: FactSources): InitInfo {
  return {
    cwd: configuration.cwd,
    model: host.model,
    permissionMode: host.permissionMode,
    sandbox: host.sandbox?.state ?? configuration.sandbox?.mode ?? 'off',
    tools: host.toolNames,
    mcpServers,
    slashCommands,
    agents: offeredAgents({ agents, toolNames: host.toolNames }),
    skills: configuration.skillFiles.skills.map(({ name }) => name),
    plugins: configuration.settings.plugins.map(({ name, folder }) => ({ name, path: folder })),
    version: QWEN_VERSION,
  };
}
