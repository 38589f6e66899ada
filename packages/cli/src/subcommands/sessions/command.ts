import type { FileStore } from '@qwen/agent/node';
import type { SubcommandOptions } from '../subcommand.js';

/** What a verb of `qwen sessions` works with; its words are those behind the verb. */
export interface SessionsCommand extends SubcommandOptions {
  readonly store: FileStore;
}

/** Gives the exit code. */
export type SessionsVerb = (command: SessionsCommand) => Promise<number>;
