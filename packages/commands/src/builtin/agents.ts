import type { Command } from '../command.js';
import { info } from '../command-outcome.js';
import type { AgentFacts } from '../host/directories.js';
import { commandGroup, list } from './command-parts.js';

const agentsGroup = commandGroup({ name: 'agents', description: 'Lists and manages subagents.' });

const HOW =
  'A subagent is a file: .qwen/agents/NAME.md in the project, or agents/NAME.md in the .qwen folder of your home. It ' +
  'begins with lines for name, description and tools between two lines of ---, and its system prompt follows.';

const create: Command = {
  name: 'agents create',
  description: 'Makes a subagent.',
  kind: 'built-in',
  run: async () => ({ type: 'dialog', dialog: 'subagent_create', content: HOW }),
};

const listAgents: Command = {
  name: 'agents list',
  description: 'Lists the subagents that the model may start.',
  kind: 'built-in',
  run: async (_call, { agents }) => info(agentsText(await agents.list())),
};

/** The subagents, and what each is for. */
function agentsText(agents: readonly AgentFacts[]): string {
  const lines = agents.map(({ name, description, source }) => `${name} (${source}) - ${description}`);
  return list('Subagents:', lines, 'There are no subagents.');
}

const manage: Command = {
  name: 'agents manage',
  description: 'Shows, changes and removes subagents.',
  kind: 'built-in',
  run: async (_call, { agents }) => ({
    type: 'dialog',
    dialog: 'subagent_list',
    content: agentsText(await agents.list()),
  }),
};

export const agentCommands: readonly Command[] = [agentsGroup, create, listAgents, manage];
