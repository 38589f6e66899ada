import { GENERAL_AGENT_NAME, TOOL_TABLE } from '@qwen/protocol';

export interface AgentOffer {
  /** In configuration order. */
  readonly agents: readonly { readonly name: string }[];
  readonly toolNames: readonly string[];
}

export function offeredAgents({ agents, toolNames }: AgentOffer): readonly string[] {
  const names = agents.map(({ name }) => name);
  if (!toolNames.includes(TOOL_TABLE.task.name) || names.includes(GENERAL_AGENT_NAME)) return names;
  return [...names, GENERAL_AGENT_NAME];
}
