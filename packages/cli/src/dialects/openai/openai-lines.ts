import type { Usage } from '@qwen/protocol';
import type { LineControlError, SessionEvent } from '@qwen/protocol/openai';
import type { Dialect } from '../dialect.js';
import type { LineClock } from './line-clock.js';
import type { LineFormat, LineOrigin, ModelLine } from './line-parts.js';

export interface OpenAiLinesOptions {
  readonly sessionId: string;
  readonly format: LineFormat;
  /** One for all sessions of an output. */
  readonly clock: LineClock;
  /** The model of lines that come before an answer. Asked when such a line is made. */
  readonly model: () => string;
  /** The host's name for a turn; undefined where it gave none. Asked when the turn starts. */
  readonly promptIdOf: (turnId: string) => string | undefined;
  /** What the session had used before the first event. Default: nothing. */
  readonly earlierUsage?: Usage;
}

/** The openai dialect of one session (groups B, C and D). */
export interface OpenAiLines {
  /** One event in, its lines out, in the order in which they are written. */
  readonly toLines: Dialect<ModelLine | SessionEvent>;
  /** Where a line would come from now, for lines that no event makes. */
  readonly origin: LineOrigin;
  /** A question or hook that came to nothing; told with the next line (K-09). */
  noteControlError(error: LineControlError): void;
}
