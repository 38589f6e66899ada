import type { Completion } from '../command.js';

/** A command as far as hints need it. */
export interface HintCommand {
  /** Words of a subcommand are separated by one blank. */
  readonly name: string;
  readonly description: string;
  /** Other names of its last word. */
  readonly aliases?: readonly string[];
  /** Whether it says itself what may stand behind its name. */
  readonly completes: boolean;
}

/** The commands of a session, read afresh with each query. */
export interface HintCommands {
  list(): readonly HintCommand[];
  /** What could stand behind the command's name in the place of `partial`. May reject; the answer is an error then. */
  complete(name: string, partial: string): Promise<readonly Completion[]>;
}

/** File search for hints. */
export interface HintFiles {
  /**
   * Up to `limit` files and folders below `cwd` that could be meant, the best first, relative, `/` between names; folders
   * end in `/`. Rejects with an AgentError for a folder that is missing or outside of the workspace, and with the
   * reason of the signal.
   */
  search(query: FileQuery): Promise<readonly string[]>;
}

export interface FileQuery {
  /** Absolute. */
  readonly cwd: string;
  /** What was typed, without `@` and escapes; may be empty. */
  readonly text: string;
  readonly limit: number;
  readonly signal: AbortSignal;
  /** Called once when the files have to be gathered first. */
  readonly onWait: () => void;
}

/** Time as the engine needs it; tests bring their own. */
export interface HintClock {
  /** Calls back once after `ms` milliseconds, unless the function that it returns is called before. */
  startTimer(ms: number, callback: () => void): () => void;
}
