import { NO_USAGE, type Usage } from '@qwen/protocol';
import { type AnswerProgress, type AnswerReader, interruptedError } from '../answer/provider.js';
import { CallIds } from '../answer/tool-input.js';
import { checkChunk, parsePayload } from '../http/parse-chunk.js';
import type { FinishReason, ModelPart } from '../parts.js';
import { type Chunk, chunkSchema } from './chunk-schema.js';
import { toModelParts } from './parts.js';
import { toUsage } from './usage.js';

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
