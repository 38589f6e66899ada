import type { Suggestion } from '@qwen/protocol/openai';

/** Answer to a cancel request. */
export interface CancelAnswer {
  /** `ok`, or `noop` if nothing was running. */
  readonly status: string;
  /** Human-readable. */
  readonly message: string | undefined;
}

/** Answer to a heartbeat. */
export interface HeartbeatAnswer {
  readonly status: string;
  /** When the CLI sent it, by its clock, with a resolution of one second. */
  readonly at: Date;
  /** Round trip in milliseconds. */
  readonly tookMs: number;
}

/** Completions for the text of an input box. */
export interface HintAnswer {
  /** `ok`, `error` (with `message`), or `loading` for a partial answer. Newer CLIs may send other values. */
  readonly status: string;
  readonly suggestions: readonly Suggestion[];
  /** The text is already the complete name of the only suggestion. */
  readonly isPerfectMatch: boolean;
  readonly message: string | undefined;
}
