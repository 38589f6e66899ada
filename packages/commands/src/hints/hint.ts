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
