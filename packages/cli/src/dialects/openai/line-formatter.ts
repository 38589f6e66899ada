import type { StopReason, ToolOutcome } from '@qwen/agent';
import type { EndingWords } from '@qwen/host/remarks/remark-on.js';
import type { Usage } from '@qwen/protocol';
import type { Annotation, LineError, TurnSummary } from '@qwen/protocol/openai';
import type { BlockEvent } from './answer-draft.js';
import type { LineOrigin, ModelLine } from './line-parts.js';

/** The end of an answer. */
export interface AnswerEnd {
  readonly stopReason: StopReason;
  /** Of its model call; missing where it is not known. */
  readonly usage?: Usage;
  readonly annotations: readonly Annotation[];
}

/** The end of a turn. */
export interface TurnEnding {
  readonly summary: TurnSummary;
  /** What stands on the finishing line. */
  readonly annotations: readonly Annotation[];
  /** Why it failed: for programs, and for people. */
  readonly failure?: { readonly error: LineError; readonly words: EndingWords };
}

/** How the steps of a session become lines: one implementation a format. Told of the main agent only. */
export interface LineFormatter {
  /** An answer was started and has not ended. */
  readonly isInsideAnswer: boolean;
  /** `content` that went out now would become part of a message. */
  readonly isInsideMessage: boolean;
  startAnswer(origin: LineOrigin): readonly ModelLine[];
  takePiece(event: BlockEvent, origin: LineOrigin): readonly ModelLine[];
  endAnswer(end: AnswerEnd, origin: LineOrigin): readonly ModelLine[];
  tellResult(outcome: ToolOutcome, annotations: readonly Annotation[], origin: LineOrigin): readonly ModelLine[];
  endTurn(ending: TurnEnding, origin: LineOrigin): readonly ModelLine[];
}
