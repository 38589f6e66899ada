import type { Command, CommandCall } from '../command.js';
import type { CommandOutcome } from '../command-outcome.js';
import type { CommandHost } from '../host/command-host.js';

/** What a command file may see and do: the files that it names, and the shell where there is one. */
export type PromptHost = Pick<CommandHost, 'shell' | 'references'>;

/** The command of a file. It makes a prompt and nothing else, so it runs where there is no agent either. */
export interface FileCommand extends Command {
  readonly run: (call: CommandCall, host: PromptHost) => Promise<CommandOutcome>;
}
