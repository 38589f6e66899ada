import type { Command } from '../../command.js';

const HOW =
  'A subagent is a file: .qwen/agents/NAME.md in the project, or agents/NAME.md in the .qwen folder of your home. It ' +
  'begins with lines for name, description and tools between two lines of ---, and its system prompt follows.';

export const agentsCreateCommand: Command = {
  name: 'agents create',
  description: 'Makes a subagent.',
  kind: 'built-in',
  run: async () => ({ type: 'dialog', dialog: 'subagent_create', content: HOW }),
};
