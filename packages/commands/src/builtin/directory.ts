import { AgentError } from '@qwen/protocol';
import type { Command } from '../command.js';
import { type CommandOutcome, failure, info } from '../command-outcome.js';
import type { WorkspaceFolders } from '../host/directories.js';
import { badUsage, commandGroup, list } from './command-parts.js';

const directory = commandGroup({
  name: 'directory',
  description: 'Show or add workspace folders.',
  aliases: ['dir'],
});

const add: Command = {
  name: 'directory add',
  description: 'Add folders to the workspace for this session.',
  kind: 'built-in',
  usage: 'PATH[,PATH…]',
  run: async ({ args }, { folders }): Promise<CommandOutcome> => {
    const paths = args.split(',').flatMap((path) => path.trim() || []);
    if (paths.length === 0) return badUsage(add);
    const { added, problems } = await addAll(folders, paths);
    const lines = added.map((path) => `Added ${path}`);
    return problems.length === 0
      ? info(lines.join('\n'))
      : failure('invalid_payload', [...lines, ...problems].join('\n'));
  },
};

async function addAll(folders: WorkspaceFolders, paths: readonly string[]) {
  const added: string[] = [];
  const problems: string[] = [];
  for (const path of paths) {
    try {
      added.push(await folders.add(path));
    } catch (thrown) {
      const { message } = AgentError.from(thrown);
      problems.push(message.includes(path) ? message : `${path}: ${message}`);
    }
  }
  return { added, problems };
}

const show: Command = {
  name: 'directory show',
  description: 'List the workspace folders.',
  kind: 'built-in',
  run: async (_call, { folders, facts }) => info(list('Workspace:', folders.list(), facts.cwd)),
};

export const directoryCommands: readonly Command[] = [directory, add, show];
