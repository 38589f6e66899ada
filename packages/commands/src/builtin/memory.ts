import type { Command } from '../command.js';
import { info } from '../command-outcome.js';
import { badUsage, commandGroup, list, startingWith } from './command-parts.js';

const memoryGroup = commandGroup({
  name: 'memory',
  description: 'Shows and changes what the model keeps in mind.',
});

const add: Command = {
  name: 'memory add',
  description: 'Adds an entry to QWEN.md of the project or of your home.',
  kind: 'built-in',
  usage: '[--project|--global] TEXT',
  run: async ({ args }, { memory }) => {
    const [, flag, text = ''] = /^(?:--(project|global)(?:\s+|$))?([^]*)$/.exec(args) ?? [];
    // An entry is one line of a list; what else could begin a heading or another list stays part of it.
    const entry = text.trim().replaceAll(/\s*\n\s*/g, ' ');
    if (entry === '') return badUsage(add);
    const path = await memory.add(entry, flag === 'global' ? 'user' : 'project');
    await memory.refresh();
    return info(`Added to ${path}: ${entry}`);
  },
  complete: async (partial) => startingWith(partial, ['--project ', '--global ']),
};

const listFiles: Command = {
  name: 'memory list',
  description: 'Lists the files of instructions that the model reads.',
  kind: 'built-in',
  run: async (_call, { memory }) => {
    const paths = (await memory.list()).map(({ path }) => path);
    return info(list('Files in memory:', paths, 'There is nothing in memory: no QWEN.md and no AGENTS.md.'));
  },
};

const refresh: Command = {
  name: 'memory refresh',
  description: 'Has the files of instructions read again.',
  aliases: ['reload'],
  kind: 'built-in',
  run: async (_call, { memory }) => {
    await memory.refresh();
    const files = await memory.list();
    const length = files.reduce((sum, { text }) => sum + text.length, 0);
    return info(`Memory was read again: ${length} characters of ${files.length} file(s).`);
  },
};

const show: Command = {
  name: 'memory show',
  description: 'Shows the instructions that the model reads.',
  kind: 'built-in',
  run: async (_call, { memory }) => {
    const files = await memory.list();
    if (files.length === 0) return info('There is nothing in memory: no QWEN.md and no AGENTS.md.');
    return info(files.map(({ path, text }) => `--- ${path}\n${text.trimEnd()}`).join('\n\n'));
  },
};

export const memoryCommands: readonly Command[] = [memoryGroup, add, listFiles, refresh, show];
