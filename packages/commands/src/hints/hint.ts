import type { Completion } from '../command.js';

/** Asks what could be meant by what somebody is typing; the wire's form of it is read by `toHintQuery`. */
export interface HintQuery {
  /** Echoed as it is; no meaning is read from it (CF-28). */
  readonly promptId: string | null | undefined;
  readonly trigger: HintTrigger;
  /** What stands in the input box, the trigger included. */
  readonly text: string;
  /** Position in `text`, in UTF-16 units. */
  readonly cursor: number;
  /** Absolute path of the folder whose files are suggested (G-05). */
  readonly cwd: string;
}

export type HintTrigger = 'slash' | 'at';

/** One thing that could be meant (G-15). */
export interface HintSuggestion {
  /** For people. */
  readonly label: string;
  /** What to write instead of the word that is being typed, escaped where it must be. */
  readonly value: string;
  readonly description?: string | undefined;
  /** Where what was typed begins in the alias that it matched; missing when it matched the name itself. */
  readonly matchedIndex?: number;
}

/** The answer to a query: any number of `loading`, then one `ok` or `error`, or nothing when it was overtaken. */
export type HintAnswer = { readonly query: HintQuery } & (
  | { readonly status: 'loading' }
  | {
      readonly status: 'ok';
      readonly suggestions: readonly HintSuggestion[];
      /** What was typed is a whole command or the path of a file (G-17, G-18). */
      readonly isPerfectMatch: boolean;
    }
  | { readonly status: 'error'; readonly message: string }
);

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
