import type { Command } from '../../command.js';
import { says } from '../../command-outcome.js';
import { badUsage } from '../command-text.js';
import { startingWith } from '../completions.js';

export const memoryAddCommand: Command = {
  name: 'memory add',
  description: 'Adds an entry to QWEN.md of the project or of your home.',
  kind: 'built-in',
  usage: '[--project|--global] TEXT',
  run: async ({ args }, { memory }) => {
    const [, flag, text = ''] = /^(?:--(project|global)(?:\s+|$))?([^]*)$/.exec(args) ?? [];
    // An entry is one line of a list; what else could begin a heading or another list stays part of it.
    const entry = text.trim().replaceAll(/\s*\n\s*/g, ' ');
    if (entry === '') return badUsage(memoryAddCommand);
    const path = await memory.add(entry, flag === 'global' ? 'user' : 'project');
    await memory.refresh();
    return says(`Added to ${path}: ${entry}`);
  },
  complete: async (partial) => startingWith(partial, ['--project ', '--global ']),
};
