import { AgentError, isJsonObject, NO_USAGE, type Usage } from '@qwen/protocol';
import { checkChunk, parsePayload } from '../http/parse-chunk.js';
import type { FinishReason, ModelPart } from '../parts.js';
import { interruptedError, type ResponseProgress, type ResponseReader } from '../response/provider.js';
import { CallIds, readToolInput, refuseToolInput, type ToolInput } from '../response/tool-input.js';
import { type Chunk, type ChunkUsage, type ContentPart, chunkSchema } from './chunk-schema.js';

const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['STOP', 'stop'],
  // Sent by gateways; Google sends STOP after calls.
  ['FUNCTION_CALL', 'tool_calls'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content_filter'],
  ['RECITATION', 'content_filter'],
  ['LANGUAGE', 'content_filter'],
  ['BLOCKLIST', 'content_filter'],
  ['PROHIBITED_CONTENT', 'content_filter'],
  ['SPII', 'content_filter'],
  ['IMAGE_SAFETY', 'content_filter'],
]);

/** Reads a `generateContent` stream, which has no end marker. */
export class ContentReader implements ResponseReader {
  readonly #ids = new CallIds();
  #head: ResponseReader['head'] = {};
  #usage: Usage | undefined;
  #rawReason: string | undefined;
  #isBlocked = false;
  readonly #calls = new Map<string, string | undefined>();

  get head(): ResponseReader['head'] {
    return this.#head;
  }

  get usage(): Usage | undefined {
    return this.#usage;
  }

  get progress(): ResponseProgress {
    return this.#rawReason === undefined ? 'streaming' : 'closing';
  }

  read(payload: string): readonly ModelPart[] {
    // Sent by some gateways.
    if (payload === '[DONE]') return [];
    const json = parsePayload(payload);
    // Endpoints that ignore `alt=sse` send an array of the chunks.
    return (Array.isArray(json) ? json : [json]).flatMap((chunk: unknown) => this.#readChunk(chunk));
  }

  #readChunk(json: unknown): readonly ModelPart[] {
    const chunk = checkChunk(chunkSchema, json);
    this.#readHead(chunk);
    if (chunk.usageMetadata) this.#usage = toUsage(chunk.usageMetadata);
    const blockReason = chunk.promptFeedback?.blockReason;
    if (blockReason) {
      this.#isBlocked = true;
      this.#rawReason = blockReason;
    }
    const candidate = chunk.candidates?.[0];
    if (candidate?.finishReason) this.#rawReason = candidate.finishReason;
    const earlier = new Map(this.#calls);
    return (candidate?.content?.parts ?? []).flatMap((part) => {
      const { functionCall: call } = part;
      if (!call) return toModelParts(part, this.#ids);
      const key = JSON.stringify([call.name, call.args]);
      if (this.#isRepeated(key, call.id ?? undefined, earlier)) return [];
      this.#calls.set(key, call.id ?? undefined);
      return toModelParts(part, this.#ids);
    });
  }

  /** Gateways repeat calls under their id, or all of them in the last chunk. */
  #isRepeated(key: string, id: string | undefined, earlier: ReadonlyMap<string, string | undefined>): boolean {
    if (!earlier.has(key)) return false;
    return this.#rawReason !== undefined || (id !== undefined && id === earlier.get(key));
  }

  end(): readonly ModelPart[] {
    const rawReason = this.#rawReason;
    if (rawReason === undefined) throw interruptedError('no finish reason');
    const reason = this.#reason(rawReason);
    return [{ type: 'finish', reason, ...(reason === 'other' && { rawReason }), usage: this.#usage ?? NO_USAGE }];
  }

  #reason(rawReason: string): FinishReason {
    if (this.#isBlocked) return 'content_filter';
    const reason = FINISH_REASONS.get(rawReason) ?? 'other';
    return reason === 'stop' && this.#calls.size > 0 ? 'tool_calls' : reason;
  }

  #readHead({ responseId, modelVersion }: Chunk): void {
    if (this.#head.responseId !== undefined) return;
    this.#head = { ...(responseId && { responseId }), ...(modelVersion && { model: modelVersion }) };
  }
}

/** A signature of text or thinking becomes `thinking_signature`. Calls arrive complete, mostly without an id. */
function toModelParts(part: ContentPart, ids: CallIds): readonly ModelPart[] {
  const signature = part.thoughtSignature || undefined;
  if (part.functionCall) return toCall(part.functionCall, ids, signature);
  return [
    ...(part.text ? [{ type: part.thought ? 'thinking_delta' : 'text_delta', text: part.text } as const] : []),
    ...(signature === undefined ? [] : [{ type: 'thinking_signature', signature } as const]),
  ];
}

function toCall(
  call: NonNullable<ContentPart['functionCall']>,
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
  if (name === '') return { error: new AgentError('unknown_tool', 'The tool call has no name.') };
  if (typeof args === 'string') return readToolInput(name, args);
  return isJsonObject(args) ? { input: args } : refuseToolInput(name, 'are not a JSON object');
}

/** Thoughts count as output, tool use and cached tokens as input. */
function toUsage(usage: ChunkUsage): Usage {
  const input = (usage.promptTokenCount ?? 0) + (usage.toolUsePromptTokenCount ?? 0);
  const output = (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0);
  return {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: usage.cachedContentTokenCount ?? 0,
    ...(usage.thoughtsTokenCount && { reasoning_output_tokens: usage.thoughtsTokenCount }),
    total_tokens: usage.totalTokenCount ?? input + output,
  };
}
