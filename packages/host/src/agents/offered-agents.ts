import { knownAgents } from '@qwen/agent';
import { type AgentConfig, TOOL_TABLE } from '@qwen/protocol';

export interface AgentOffer {
  /** In configuration order. */
  readonly agents: readonly AgentConfig[];
  readonly toolNames: readonly string[];
}

/** Without the task tool, only the configured names. */
export function offeredAgents({ agents, toolNames }: AgentOffer): readonly string[] {
  return (toolNames.includes(TOOL_TABLE.task.name) ? knownAgents(agents) : agents).map(({ name }) => name);
}
