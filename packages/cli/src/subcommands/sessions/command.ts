import type { FileStore } from '@qwen/agent/node';
import type { SubcommandOptions } from '../subcommand.js';

export interface SessionsCommand extends SubcommandOptions {
  readonly store: FileStore;
}

export type SessionsVerb = (command: SessionsCommand) => Promise<number>;
