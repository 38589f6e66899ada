import type { Environment } from '@qwen/host/config/env.js';

/** What a subcommand works with. It writes through `print` and `remark` only. */
export interface SubcommandOptions {
  /** The words behind the name of the subcommand, as they were typed. */
  readonly words: readonly string[];
  readonly environment: Environment;
  /** Absolute. */
  readonly cwd: string;
  /** Writes to stdout; resolves when the text has left. */
  readonly print: (text: string) => Promise<void>;
  /** Writes a line to stderr. */
  readonly remark: (text: string) => void;
  /** Asks a person for a yes; undefined where nobody can be asked. Default: at the terminal. */
  readonly ask?: (question: string) => Promise<boolean | undefined>;
}

/** Runs and gives the exit code. Rejects with an AgentError, `usage` for words that make no sense. */
export type Subcommand = (options: SubcommandOptions) => Promise<number>;
