import type { Command } from '../command.js';
import { info } from '../command-outcome.js';
import { badUsage, commandGroup, list, plural, startingWith } from './command-parts.js';

const NO_FILES = 'There are no instructions: found neither QWEN.md nor AGENTS.md.';

const memoryGroup = commandGroup({
  name: 'memory',
  description: 'Show and edit the instructions in QWEN.md.',
});

const add: Command = {
  name: 'memory add',
  description: "Add an entry to the project's QWEN.md or to your own.",
  kind: 'built-in',
  usage: '[--project|--global] TEXT',
  run: async ({ args }, { memory }) => {
    const [, flag, text = ''] = /^(?:--(project|global)(?:\s+|$))?([^]*)$/.exec(args) ?? [];
    if (/^--[a-z]/i.test(text)) return badUsage(add, `Unknown flag ${text.split(/\s/, 1).join('')}.`);
    // Keeps the entry a single list item.
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
  description: 'List the instruction files that the model reads.',
  kind: 'built-in',
  run: async (_call, { memory }) => {
    const paths = (await memory.list()).map(({ path }) => path);
    return info(list('Instruction files:', paths, NO_FILES));
  },
};

const refresh: Command = {
  name: 'memory refresh',
  description: 'Reload the instruction files.',
  aliases: ['reload'],
  kind: 'built-in',
  run: async (_call, { memory }) => {
    await memory.refresh();
    const files = await memory.list();
    const length = files.reduce((sum, { text }) => sum + text.length, 0);
    return info(`Reloaded ${plural(files.length, 'file')} (${plural(length, 'character')}).`);
  },
};

const show: Command = {
  name: 'memory show',
  description: 'Show the instructions that the model reads.',
  kind: 'built-in',
  run: async (_call, { memory }) => {
    const files = await memory.list();
    if (files.length === 0) return info(NO_FILES);
    return info(files.map(({ path, text }) => `--- ${path}\n${text.trimEnd()}`).join('\n\n'));
  },
};

export const memoryCommands: readonly Command[] = [memoryGroup, add, listFiles, refresh, show];
