import type { Completion } from '../command.js';

export interface HintQuery {
  /** Opaque; echoed in the answer. */
  readonly promptId: string | null | undefined;
  readonly trigger: HintTrigger;
  /** The whole input, including the trigger. */
  readonly text: string;
  /** In UTF-16 units. */
  readonly cursor: number;
  /** Absolute. */
  readonly cwd: string;
}

export type HintTrigger = 'slash' | 'at';

export interface HintSuggestion {
  readonly label: string;
  /** Replaces the typed word; escaped. */
  readonly value: string;
  readonly description?: string | undefined;
  /** Set if an alias matched. */
  readonly matchedIndex?: number;
}

/** Any number of `loading`, then `ok` or `error`; none if a newer query replaced it. */
export type HintAnswer = { readonly query: HintQuery } & (
  | { readonly status: 'loading' }
  | {
      readonly status: 'ok';
      readonly suggestions: readonly HintSuggestion[];
      readonly isPerfectMatch: boolean;
    }
  | { readonly status: 'error'; readonly message: string }
);

export interface HintCommand {
  readonly name: string;
  readonly description: string;
  readonly aliases?: readonly string[];
  readonly completes: boolean;
}

export interface HintCommands {
  list(): readonly HintCommand[];
  complete(name: string, partial: string): Promise<readonly Completion[]>;
}

export interface HintFiles {
  /**
   * Returns paths relative to `cwd`, best first; folders end in `/`. Rejects with an AgentError if `cwd` is missing
   * or outside the workspace.
   */
  search(query: FileQuery): Promise<readonly string[]>;
}

export interface FileQuery {
  /** Absolute. */
  readonly cwd: string;
  /** Without `@` and escapes; may be empty. */
  readonly text: string;
  readonly limit: number;
  readonly signal: AbortSignal;
  /** Called once if files must be gathered first. */
  readonly onWait: () => void;
}

export interface HintClock {
  /** Starts a timer and returns a function that cancels it. */
  startTimer(ms: number, callback: () => void): () => void;
}
