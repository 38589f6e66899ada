import { AgentError, NO_USAGE, type Usage } from '@qwen/protocol';
import { type AnswerProgress, type AnswerReader, interruptedError } from '../answer/provider.js';
import { CallIds, refuseToolInput, type ToolInput } from '../answer/tool-input.js';
import { checkChunk, parsePayload } from '../http/parse-chunk.js';
import { isObject } from '../json.js';
import type { FinishReason, ModelPart } from '../parts.js';
import { type AnswerPart, type Chunk, type ChunkUsage, chunkSchema } from './chunk-schema.js';

const FINISH_REASONS: Readonly<Record<string, FinishReason>> = {
  STOP: 'stop',
  // Google says STOP after calls; gateways that imitate it say this.
  FUNCTION_CALL: 'tool_calls',
  MAX_TOKENS: 'length',
  SAFETY: 'content_filter',
  RECITATION: 'content_filter',
  LANGUAGE: 'content_filter',
  BLOCKLIST: 'content_filter',
  PROHIBITED_CONTENT: 'content_filter',
  SPII: 'content_filter',
  IMAGE_SAFETY: 'content_filter',
};

/** Reads the payloads of one streamed `generateContent`. It has no end marker: the body ends. */
export class ContentReader implements AnswerReader {
  readonly #ids = new CallIds();
  #head: AnswerReader['head'] = {};
  #usage: Usage | undefined;
  #rawReason: string | undefined;
  #isBlocked = false;
  #hasCalls = false;

  get head(): AnswerReader['head'] {
    return this.#head;
  }

  get usage(): Usage | undefined {
    return this.#usage;
  }

  get progress(): AnswerProgress {
    return this.#rawReason === undefined ? 'answering' : 'closing';
  }

  read(payload: string): readonly ModelPart[] {
    const chunk = checkChunk(chunkSchema, parsePayload(payload));
    this.#readHead(chunk);
    if (chunk.usageMetadata) this.#usage = toUsage(chunk.usageMetadata);
    const blockReason = chunk.promptFeedback?.blockReason;
    if (blockReason) {
      this.#isBlocked = true;
      this.#rawReason = blockReason;
    }
    const candidate = chunk.candidates?.[0];
    if (candidate?.finishReason) this.#rawReason = candidate.finishReason;
    return (candidate?.content?.parts ?? []).flatMap((part) => {
      this.#hasCalls ||= Boolean(part.functionCall);
      return toModelParts(part, this.#ids);
    });
  }

  end(): readonly ModelPart[] {
    const rawReason = this.#rawReason;
    if (rawReason === undefined) throw interruptedError('it ended without a finish reason');
    const reason = this.#reason(rawReason);
    return [{ type: 'finish', reason, ...(reason === 'other' && { rawReason }), usage: this.#usage ?? NO_USAGE }];
  }

  #reason(rawReason: string): FinishReason {
    if (this.#isBlocked) return 'content_filter';
    const reason = FINISH_REASONS[rawReason] ?? 'other';
    return reason === 'stop' && this.#hasCalls ? 'tool_calls' : reason;
  }

  #readHead({ responseId, modelVersion }: Chunk): void {
    if (this.#head.responseId !== undefined) return;
    this.#head = { ...(responseId && { responseId }), ...(modelVersion && { model: modelVersion }) };
  }
}

/**
 * One of Gemini's parts as ours. A signature on text or thinking becomes `thinking_signature`; on a call it ends up
 * in `tool_call_end`. Calls arrive whole, mostly without id.
 */
export function toModelParts(part: AnswerPart, ids: CallIds): readonly ModelPart[] {
  const signature = part.thoughtSignature || undefined;
  if (part.functionCall) return toCall(part.functionCall, ids, signature);
  return [
    ...(part.text ? [{ type: part.thought ? 'thinking_delta' : 'text_delta', text: part.text } as const] : []),
    ...(signature === undefined ? [] : [{ type: 'thinking_signature', signature } as const]),
  ];
}

function toCall(
  call: NonNullable<AnswerPart['functionCall']>,
  ids: CallIds,
  signature: string | undefined,
): readonly ModelPart[] {
  const id = ids.take(call.id ?? undefined);
  const name = call.name ?? '';
  const args = call.args ?? {};
  return [
    { type: 'tool_call_start', id, name },
    { type: 'tool_call_delta', id, json: JSON.stringify(args) },
    { type: 'tool_call_end', id, name, ...toInput(name, args), ...(signature !== undefined && { signature }) },
  ];
}

function toInput(name: string, args: unknown): ToolInput {
  if (name === '') return { error: new AgentError('unknown_tool', 'The call names no tool.') };
  return isObject(args) ? { input: args } : refuseToolInput(name, 'are not a JSON object');
}

/** Gemini's counts as ours: thoughts are output, what tools fed in is input, cached tokens are part of the input. */
export function toUsage(usage: ChunkUsage): Usage {
  const input = (usage.promptTokenCount ?? 0) + (usage.toolUsePromptTokenCount ?? 0);
  const output = (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0);
  return {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: usage.cachedContentTokenCount ?? 0,
    total_tokens: usage.totalTokenCount ?? input + output,
  };
}
