import type { CommandSource } from '../command-registry.js';
import { type CommandFileNotice, CommandFolder } from './command-folder.js';
import type { FileCommand } from './file-command.js';

export interface CustomCommandsOptions {
  /** `.qwen/commands` of the project; absolute. */
  readonly projectFolder: string;
  /** `commands` of the user's own folder; absolute. */
  readonly userFolder: string;
  /** Whether what the project asks for counts. Asked with each list, since trust can be given meanwhile. */
  readonly isTrusted: () => boolean;
}

/** The user's own commands. */
export interface CustomCommands extends CommandSource {
  list(): readonly FileCommand[];
  /** Files that are no commands, as of the last `list()`. */
  readonly notices: readonly CommandFileNotice[];
}

/** The commands of the project, then those of the user, so that the project's count where both have one (GAP-81). */
export function customCommands({ projectFolder, userFolder, isTrusted }: CustomCommandsOptions): CustomCommands {
  const project = new CommandFolder(projectFolder);
  const user = new CommandFolder(userFolder);
  // In the home folder both are the same.
  const isOne = projectFolder === userFolder;
  const folders = () => [...(isTrusted() && !isOne ? [project] : []), user];
  return {
    list: () => folders().flatMap((folder) => folder.list()),
    get notices() {
      return folders().flatMap(({ notices }) => notices);
    },
  };
}
