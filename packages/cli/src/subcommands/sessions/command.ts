import type { FileStore } from '@qwen/agent/node';
import type { SubcommandOptions } from '../subcommand.js';

/** What a verb of `qwen sessions` works with. */
export interface SessionsCommand extends Pick<SubcommandOptions, 'print' | 'cwd'> {
  readonly store: FileStore;
  /** The words behind the verb that are no flags. */
  readonly words: readonly string[];
  /** Print what programs read: one JSON document. */
  readonly asJson: boolean;
  readonly flags: { readonly all?: boolean; readonly limit?: string; readonly cursor?: string; readonly at?: string };
}
