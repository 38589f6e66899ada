import { isJsonObject, NO_USAGE, type Usage } from '@qwen/protocol';
import { checkChunk, isError, parsePayload } from '../http/parse-chunk.js';
import { toStreamError } from '../http/status-error.js';
import type { FinishReason, ModelPart } from '../parts.js';
import {
  interruptedError,
  type ReaderOptions,
  type ResponseProgress,
  type ResponseReader,
} from '../response/provider.js';
import { ToolCallAssembler, type ToolCallPiece } from '../response/tool-call-assembler.js';
import { type CallChunk, type Chunk, type ChunkUsage, type CompletionDelta, chunkSchema } from './chunk-schema.js';
import { ReasoningDetails } from './reasoning-details.js';

const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['end_turn', 'stop'],
  ['eos', 'stop'],
  ['eos_token', 'stop'],
  ['stop_sequence', 'stop'],
  ['complete', 'stop'],
  ['completed', 'stop'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['max_output_tokens', 'length'],
  ['model_length', 'length'],
  ['context_window_exceeded', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_calls', 'tool_calls'],
  ['function_call', 'tool_calls'],
  ['content_filter', 'content_filter'],
  ['safety', 'content_filter'],
  ['sensitive', 'content_filter'],
  ['refusal', 'content_filter'],
]);
/** The answer broke off at the provider. */
const BROKEN_REASONS: ReadonlySet<string> = new Set([
  'error',
  'network_error',
  'insufficient_system_resource',
  'abort',
  'cancelled',
]);
const NOTHING: readonly ModelPart[] = [];

export class CompletionReader implements ResponseReader {
  readonly #options: ReaderOptions;
  readonly #calls = new ToolCallAssembler();
  readonly #details = new ReasoningDetails();
  #head: ResponseReader['head'] | undefined;
  #usage: Usage | undefined;
  #rawReason: string | undefined;
  #refused = false;
  #closed = false;
  #hasContent = false;
  #choice: number | undefined;

  constructor(options: ReaderOptions = { leavesOutReason: false }) {
    this.#options = options;
  }

  get head(): ResponseReader['head'] {
    return this.#head ?? {};
  }

  get usage(): Usage | undefined {
    return this.#usage;
  }

  get progress(): ResponseProgress {
    if (this.#closed) return 'closed';
    return this.#rawReason === undefined ? 'streaming' : 'closing';
  }

  read(payload: string): readonly ModelPart[] {
    if (payload === '[DONE]') {
      this.#closed = true;
      return NOTHING;
    }
    const json = parsePayload(payload);
    const plain = this.#head === undefined || this.#details.isPending ? undefined : readPlainDelta(json);
    if (plain !== undefined) {
      this.#hasContent = true;
      return [plain];
    }
    const chunk = checkChunk(chunkSchema, json);
    this.#head ??= headOf(chunk);
    this.#usage = usageOf(chunk) ?? this.#usage;
    const choice = this.#choiceOf(chunk);
    if (choice === undefined) return NOTHING;
    const { finish_reason: rawReason, error } = choice;
    if (isError(error)) throw toStreamError({ error });
    if (rawReason && BROKEN_REASONS.has(rawReason)) throw interruptedError(rawReason);
    if (rawReason) this.#rawReason = rawReason;
    const delta = choice.delta ?? choice.message ?? (choice.text ? { content: choice.text } : undefined);
    return delta ? this.#readDelta(delta) : NOTHING;
  }

  end(): readonly ModelPart[] {
    if (this.#rawReason === undefined) return this.#endWithoutReason();
    return this.#finish(this.#rawReason);
  }

  #finish(rawReason: string): readonly ModelPart[] {
    const reason = this.#reason(FINISH_REASONS.get(rawReason.toLowerCase()) ?? 'other');
    return [
      ...this.#details.take(),
      ...this.#calls.end(reason === 'length'),
      { type: 'finish', reason, ...(reason === 'other' && { rawReason }), usage: this.#usage ?? NO_USAGE },
    ];
  }

  /** The first one counts, if there are several. */
  #choiceOf({ choices }: Chunk): NonNullable<Chunk['choices']>[number] | undefined {
    this.#choice ??= choices?.[0]?.index ?? undefined;
    return choices?.find(({ index }) => (index ?? this.#choice) === this.#choice);
  }

  /** Gateways send `[DONE]` even if their provider failed, so it counts only if the endpoint never states a reason. */
  #endWithoutReason(): readonly ModelPart[] {
    const { leavesOutReason, leavesOutMarker = false } = this.#options;
    if (this.#closed && this.#hasContent && leavesOutReason) return this.#finish('stop');
    const parts = this.#finish('stop');
    const isWhole = this.#hasContent && parts.every(isWholeCall);
    if (isWhole && leavesOutMarker) return parts;
    throw interruptedError('no finish reason', this.#closed && this.#hasContent, isWhole);
  }

  /** Some endpoints send `stop` after tool calls and refusals. */
  #reason(reason: FinishReason): FinishReason {
    if (reason !== 'stop') return reason;
    if (this.#refused) return 'content_filter';
    return this.#calls.isEmpty ? 'stop' : 'tool_calls';
  }

  #readDelta(delta: CompletionDelta): readonly ModelPart[] {
    const { tool_calls: given, function_call: single, refusal } = delta;
    const pieces = single ? [{ index: 0, function: single }] : Array.isArray(given) || !given ? given : [given];
    const content = typeof delta.content === 'number' ? String(delta.content) : delta.content;
    // Gateways send the same thinking under both names.
    const thinking = thinkingOf(delta);
    const parts: ModelPart[] = [];
    this.#hasContent ||= Boolean(content || pieces?.length);
    if (thinking) parts.push({ type: 'thinking_delta', text: thinking });
    if (delta.reasoning_details) this.#details.add(delta.reasoning_details);
    // Directly after the thinking that they belong to.
    else if (content || pieces?.length) parts.push(...this.#details.take());
    if (typeof content === 'string') {
      if (content !== '') parts.push({ type: 'text_delta', text: content });
    } else if (content) {
      parts.push(...(Array.isArray(content) ? content : [content]).flatMap(readBlock));
    }
    if (refusal) {
      this.#refused = true;
      parts.push({ type: 'text_delta', text: refusal });
    }
    const calls = (pieces ?? []).flatMap((piece) => (piece ? [toPiece(piece)] : []));
    parts.push(...this.#calls.addAll(calls, this.#rawReason !== undefined));
    return parts;
  }
}

function thinkingOf(delta: CompletionDelta): string {
  const named = delta.reasoning_content || delta.reasoning || delta.reasoning_text;
  return named || delta.thinking || delta.thinking_content || textOfDetails(delta.reasoning_details);
}

function toPiece({ extra_content, ...piece }: CallChunk): ToolCallPiece {
  return {
    ...piece,
    function: piece.function ?? piece,
    signature: extra_content?.google?.thought_signature ?? undefined,
  };
}

function headOf({ id, model }: Chunk): ResponseReader['head'] {
  return { ...(id && { responseId: id }), ...(model && { model }) };
}

function textOfDetails(details: CompletionDelta['reasoning_details']): string {
  return (details ?? [])
    .map(({ text, summary }) => [text, summary].find((one) => typeof one === 'string') ?? '')
    .join('');
}

type Block = Extract<NonNullable<CompletionDelta['content']>, readonly unknown[]>[number];

function readBlock(block: Block): readonly ModelPart[] {
  const { text, thinking }: Partial<Exclude<Block, string>> = typeof block === 'string' ? { text: block } : block;
  if (text) return [{ type: 'text_delta', text }];
  const thought = typeof thinking === 'string' ? thinking : (thinking ?? []).map((piece) => piece.text ?? '').join('');
  return thought === '' ? [] : [{ type: 'thinking_delta', text: thought }];
}

/** Fast path for chunks with only text or thinking: 20,000 take 45 ms of CPU instead of 80 ms. */
function readPlainDelta(chunk: unknown): ModelPart | undefined {
  if (!isJsonObject(chunk) || chunk['usage'] || chunk['x_groq'] || chunk['error']) return undefined;
  const choices = chunk['choices'];
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  if (!isJsonObject(choice) || choice['index'] || choice['finish_reason'] || choice['usage']) return undefined;
  const delta = choice['delta'];
  return isJsonObject(delta) ? onlyMember(delta) : undefined;
}

function onlyMember(delta: Record<string, unknown>): ModelPart | undefined {
  let part: ModelPart | undefined;
  for (const name in delta) {
    const value = delta[name];
    if (name === 'role' || value === null || value === undefined) continue;
    if (part !== undefined || typeof value !== 'string' || value === '') return undefined;
    if (name === 'content') part = { type: 'text_delta', text: value };
    else if (name === 'reasoning_content' || name === 'reasoning') part = { type: 'thinking_delta', text: value };
    else return undefined;
  }
  return part;
}

function usageOf(chunk: Chunk): Usage | undefined {
  const usage = chunk.usage ?? chunk.choices?.[0]?.usage ?? chunk.x_groq?.usage;
  return usage ? toUsage(usage) : undefined;
}

function toUsage(usage: ChunkUsage): Usage {
  const prompt = usage.prompt_tokens ?? 0;
  const output = usage.completion_tokens ?? 0;
  const details = usage.prompt_tokens_details;
  const written =
    usage.cache_creation_input_tokens ?? details?.cache_creation_input_tokens ?? details?.cache_write_tokens ?? 0;
  const read = details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens ?? 0;
  // Gateways of Anthropic leave the cache out of the count.
  const input = read + written > prompt ? prompt + read + written : prompt;
  const reasoning = usage.completion_tokens_details?.reasoning_tokens ?? 0;
  return {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: read,
    ...(written > 0 && { cache_creation_input_tokens: written }),
    ...(reasoning > 0 && { reasoning_output_tokens: reasoning }),
    ...(usage.cost && { cost_usd: usage.cost }),
    total_tokens: Math.max(usage.total_tokens ?? 0, input + output),
  };
}

/** Missing arguments may have been cut off. */
function isWholeCall(part: ModelPart): boolean {
  return part.type !== 'tool_call_end' || ('input' in part && Object.keys(part.input).length > 0);
}
