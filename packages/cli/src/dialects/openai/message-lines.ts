import type { ToolOutcome } from '@qwen/agent';
import { toPlainText } from '@qwen/host/styled-output/output-for.js';
import type { Annotation } from '@qwen/protocol/openai';
import { AnswerDraft, type BlockEvent } from './answer-draft.js';
import { failureMark } from './failure-mark.js';
import type { AnswerEnd, LineFormatter, TurnEnding } from './line-formatter.js';
import { type AssistantLine, completionLine, headOf, idsOf, type LineOrigin, type ModelLine } from './line-parts.js';
import { toCompletionUsage, toFinishReason } from './openai-fields.js';
import { errorLine } from './process-lines.js';

const NOTHING: readonly ModelLine[] = [];

/** `stream-json`: one line per model message and tool message, and a summary at the end of a turn. */
export class MessageLines implements LineFormatter {
  #draft: AnswerDraft | undefined;

  get isInsideAnswer(): boolean {
    return this.#draft !== undefined;
  }

  get isInsideMessage(): boolean {
    return false;
  }

  startAnswer(): readonly ModelLine[] {
    this.#draft = new AnswerDraft();
    return NOTHING;
  }

  takePiece(event: BlockEvent): readonly ModelLine[] {
    this.#draft?.take(event);
    return NOTHING;
  }

  endAnswer({ stopReason, usage, annotations }: AnswerEnd, origin: LineOrigin): readonly ModelLine[] {
    const { text, calls } = this.#draft ?? new AnswerDraft();
    this.#draft = undefined;
    const line = assistantLine(origin, {
      message: {
        role: 'assistant',
        content: text,
        refusal: null,
        ...(calls.length > 0 && { tool_calls: calls }),
        ...(annotations.length > 0 && { annotations: [...annotations] }),
      },
      finish_reason: toFinishReason(stopReason, calls.length > 0),
    });
    return [usage === undefined ? line : { ...line, usage: toCompletionUsage(usage) }];
  }

  emitResult(outcome: ToolOutcome, annotations: readonly Annotation[], origin: LineOrigin): readonly ModelLine[] {
    const { callId, content } = outcome;
    const message = { tool_call_id: callId, content: toPlainText(content), annotations: [...annotations] };
    return [completionLine(origin, { choice: { message: { role: 'tool', ...message }, finish_reason: null } })];
  }

  endTurn({ summary, annotations, failure }: TurnEnding, origin: LineOrigin): readonly ModelLine[] {
    const closing = assistantLine(origin, {
      message: {
        role: 'assistant',
        content: '',
        refusal: null,
        ...(annotations.length > 0 && { annotations: [...annotations] }),
      },
      finish_reason: 'stop',
    });
    const { usage } = summary;
    const summaryLine = { ...closing, usage, metadata: { ...closing.metadata, summary } };
    if (failure === undefined) return [summaryLine];
    const { error, words } = failure;
    return [failureMark(words, origin), errorLine(origin, { error, words: words.words }), summaryLine];
  }
}

function assistantLine(
  origin: LineOrigin,
  choice: Pick<AssistantLine['choices'][number], 'message' | 'finish_reason'>,
): AssistantLine {
  return {
    object: 'chat.completion',
    ...headOf(origin),
    choices: [{ index: 0, ...choice, logprobs: null }],
    metadata: idsOf(origin),
  };
}
