import { GENERAL_AGENT_NAME, TOOL_TABLE } from '@qwen/protocol';

export interface AgentOffer {
  /** Those that are configured, in order. */
  readonly agents: readonly { readonly name: string }[];
  /** Names of the tools that the model is offered. */
  readonly toolNames: readonly string[];
}

/** Names of the subagents that a task may be given to; the general one is among them where there are tasks. */
export function offeredAgents({ agents, toolNames }: AgentOffer): readonly string[] {
  const names = agents.map(({ name }) => name);
  if (!toolNames.includes(TOOL_TABLE.task.name) || names.includes(GENERAL_AGENT_NAME)) return names;
  return [...names, GENERAL_AGENT_NAME];
}
