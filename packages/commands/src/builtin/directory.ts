import { AgentError } from '@qwen/protocol';
import type { Command } from '../command.js';
import { type CommandOutcome, failure, info } from '../command-outcome.js';
import type { WorkspaceFolders } from '../host/directories.js';
import { badUsage, commandGroup, list } from './command-parts.js';

const directory = commandGroup({
  name: 'directory',
  description: 'Shows and adds folders of the workspace.',
  aliases: ['dir'],
});

const add: Command = {
  name: 'directory add',
  description: 'Adds folders to the workspace for this session.',
  kind: 'built-in',
  usage: 'PATH[,PATH…]',
  run: async ({ args }, { folders }): Promise<CommandOutcome> => {
    const paths = args.split(',').flatMap((path) => path.trim() || []);
    if (paths.length === 0) return badUsage(add);
    const { added, problems } = await addAll(folders, paths);
    const told = added.map((path) => `Added ${path}`);
    return problems.length === 0
      ? info(told.join('\n'))
      : failure('invalid_payload', [...told, ...problems].join('\n'));
  },
};

/** Each for itself: one that cannot be added keeps no other out. */
async function addAll(folders: WorkspaceFolders, paths: readonly string[]) {
  const added: string[] = [];
  const problems: string[] = [];
  for (const path of paths) {
    try {
      added.push(await folders.add(path));
    } catch (thrown) {
      problems.push(`${path}: ${AgentError.from(thrown).message}`);
    }
  }
  return { added, problems };
}

const show: Command = {
  name: 'directory show',
  description: 'Lists the folders of the workspace.',
  kind: 'built-in',
  run: async (_call, { folders, facts }) => info(list('Workspace:', folders.list(), facts.cwd)),
};

export const directoryCommands: readonly Command[] = [directory, add, show];
