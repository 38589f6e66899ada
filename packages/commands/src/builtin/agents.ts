import type { Command } from '../command.js';
import { info } from '../command-outcome.js';
import type { AgentInfo } from '../host/directories.js';
import { list, unknownSubcommand } from './command-parts.js';

const agentsGroup: Command = {
  name: 'agents',
  description: 'List and manage subagents.',
  kind: 'built-in',
  run: async ({ args }, { agents }) =>
    args === '' ? info(`${agentsText(await agents.list())}\n${NEXT}`) : unknownSubcommand('agents', args),
};

const NEXT = '/agents create adds one, /agents manage edits and deletes.';

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

function agentsText(agents: readonly AgentInfo[]): string {
  return list('Subagents:', agents.map(agentLine), 'There are no subagents.');
}

function agentLine({ name, description, source, path, model, isReadOnly }: AgentInfo): string {
  const facts = [path === undefined ? source : `${source}: ${path}`, ...(isReadOnly ? ['read-only'] : [])];
  if (model !== undefined) facts.push(`model ${model}`);
  return `${name} (${facts.join(', ')}) - ${description}`;
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
