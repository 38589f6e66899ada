import type { StopReason, ToolOutcome } from '@qwen/agent';
import type { EndingWords } from '@qwen/host/styled-output/output-for.js';
import type { Usage } from '@qwen/protocol';
import type { Annotation, LineError, TurnSummary } from '@qwen/protocol/openai';
import type { BlockEvent } from './answer-draft.js';
import type { LineOrigin, ModelLine } from './line-parts.js';

export interface AnswerEnd {
  readonly stopReason: StopReason;
  readonly usage?: Usage;
  readonly annotations: readonly Annotation[];
}

export interface TurnEnding {
  readonly summary: TurnSummary;
  readonly annotations: readonly Annotation[];
  /** Why it failed, for programs and for people. */
  readonly failure?: { readonly error: LineError; readonly words: EndingWords };
}

/** Turns events of the main agent into lines, one implementation per format. */
export interface LineFormatter {
  readonly isInsideAnswer: boolean;
  /** True if `content` would join the current message. */
  readonly isInsideMessage: boolean;
  startAnswer(origin: LineOrigin): readonly ModelLine[];
  takePiece(event: BlockEvent, origin: LineOrigin): readonly ModelLine[];
  endAnswer(end: AnswerEnd, origin: LineOrigin): readonly ModelLine[];
  emitResult(outcome: ToolOutcome, annotations: readonly Annotation[], origin: LineOrigin): readonly ModelLine[];
  endTurn(ending: TurnEnding, origin: LineOrigin): readonly ModelLine[];
}
