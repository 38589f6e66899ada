import { AgentError, agentConfigSchema, describeIssue } from '@qwen/protocol';
import { toAgentList } from './initialize-payload.js';
import type { QueryOptions } from './options.js';

/** Throws `invalid_options` that names the subagent at fault and what is wrong with it. */
export function checkAgents(agents: NonNullable<QueryOptions['agents']>): void {
  const names = new Set<string>();
  for (const [index, agent] of toAgentList(agents).entries()) {
    const parsed = agentConfigSchema.safeParse(agent);
    if (!parsed.success) throw refusal(describeIssue(`options.agents.${index}`, parsed.error));
    const { name } = parsed.data;
    if (name.trim() === '') throw refusal(`options.agents.${index}.name: expected some text`);
    if (names.has(name)) throw refusal(`options.agents: duplicate subagent name ${name}`);
    names.add(name);
  }
}

function refusal(message: string): AgentError {
  return new AgentError('invalid_options', message);
}
