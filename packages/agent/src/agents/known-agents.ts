import { type AgentConfig, AgentError, GENERAL_AGENT_NAME } from '@qwen/protocol';

const GENERAL_PURPOSE: AgentConfig = {
  name: GENERAL_AGENT_NAME,
  description: 'Any task that takes several steps; has all tools.',
};

export function knownAgents(configured: readonly AgentConfig[]): readonly AgentConfig[] {
  const byName = new Map<string, AgentConfig>();
  for (const agent of [...configured, GENERAL_PURPOSE]) {
    if (!byName.has(agent.name)) byName.set(agent.name, agent);
  }
  return [...byName.values()];
}

/** Throws `unknown_agent`. */
export function findAgent(configured: readonly AgentConfig[], name: string): AgentConfig {
  const agents = knownAgents(configured);
  const found = agents.find((agent) => agent.name === name);
  if (found !== undefined) return found;
  const names = agents.map((agent) => agent.name).join(', ');
  throw new AgentError('unknown_agent', `There is no subagent named ${name}. The subagents are: ${names}.`);
}
