import { type AgentConfig, BUILTIN_AGENT_NAMES, TOOL_TABLE } from '@qwen/protocol';

export interface AgentOffer {
  /** In configuration order. */
  readonly agents: readonly Pick<AgentConfig, 'name'>[];
  readonly toolNames: readonly string[];
}

export function offeredAgents({ agents, toolNames }: AgentOffer): readonly string[] {
  const names = agents.map(({ name }) => name);
  return toolNames.includes(TOOL_TABLE.task.name) ? [...new Set([...names, ...BUILTIN_AGENT_NAMES])] : names;
}
