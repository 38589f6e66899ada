import type { Suggestion } from '@qwen/protocol/openai';

/** What came of a cancel (I-08, I-10). */
export interface CancelAnswer {
  /** `ok`, or `noop` when there was nothing to stop. */
  readonly status: string;
  /** For people. */
  readonly message: string | undefined;
}

/** A sign of life. */
export interface HeartbeatAnswer {
  readonly status: string;
  /** When the CLI sent it, by its clock, to the second. */
  readonly at: Date;
  /** Milliseconds from the request to the answer. */
  readonly tookMs: number;
}

/** What could be meant by what was typed. */
export interface HintAnswer {
  /** `ok`, `error` (with `message`), or `loading` while the answer is prepared; a word of a newer program may come. */
  readonly status: string;
  readonly suggestions: readonly Suggestion[];
  /** What was typed is the whole name of the one suggestion. */
  readonly isPerfectMatch: boolean;
  readonly message: string | undefined;
}
