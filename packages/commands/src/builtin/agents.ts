import type { Command } from '../command.js';
import { info } from '../command-outcome.js';
import type { AgentFacts } from '../host/directories.js';
import { commandGroup, list } from './command-parts.js';

const agentsGroup = commandGroup({ name: 'agents', description: 'List and manage subagents.' });

const HOW =
  'A subagent is a Markdown file: .qwen/agents/NAME.md in the project, or ~/.qwen/agents/NAME.md. It starts with ' +
  'front matter (name, description, tools) between two lines of ---, followed by the system prompt.';

const create: Command = {
  name: 'agents create',
  description: 'Create a subagent.',
  kind: 'built-in',
  run: async () => ({ type: 'dialog', dialog: 'subagent_create', content: HOW }),
};

const listAgents: Command = {
  name: 'agents list',
  description: 'List the available subagents.',
  kind: 'built-in',
  run: async (_call, { agents }) => info(agentsText(await agents.list())),
};

function agentsText(agents: readonly AgentFacts[]): string {
  const lines = agents.map(({ name, description, source }) => `${name} (${source}) - ${description}`);
  return list('Subagents:', lines, 'There are no subagents.');
}

const manage: Command = {
  name: 'agents manage',
  description: 'View, edit and delete subagents.',
  kind: 'built-in',
  run: async (_call, { agents }) => ({
    type: 'dialog',
    dialog: 'subagent_list',
    content: agentsText(await agents.list()),
  }),
};

export const agentCommands: readonly Command[] = [agentsGroup, create, listAgents, manage];
