import type { Command } from '../../command.js';
import { says } from '../../command-outcome.js';
import type { AgentFacts } from '../../host/directories.js';
import { list } from '../command-text.js';

export const agentsListCommand: Command = {
  name: 'agents list',
  description: 'Lists the subagents that the model may start.',
  kind: 'built-in',
  run: async (_call, { agents }) => says(agentsText(await agents.list())),
};

/** The subagents, and what each is for. */
export function agentsText(agents: readonly AgentFacts[]): string {
  const lines = agents.map(({ name, description, source }) => `${name} (${source}) - ${description}`);
  return list('Subagents:', lines, 'There are no subagents.');
}
