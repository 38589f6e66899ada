import type { Environment } from '@qwen/host/config/env.js';

/** Subcommands write only through `print` and `printError`. */
export interface SubcommandOptions {
  readonly words: readonly string[];
  readonly environment: Environment;
  readonly cwd: string;
  /** Resolves when the text was flushed. */
  readonly print: (text: string) => Promise<void>;
  readonly printError: (text: string) => void;
  /** Undefined if no one can be asked. Default: ask at the terminal. */
  readonly ask?: (question: string) => Promise<boolean | undefined>;
}

export type Subcommand = (options: SubcommandOptions) => Promise<number>;
