import { isJsonObject, NO_USAGE, type Usage } from '@qwen/protocol';
import { checkChunk, parsePayload } from '../http/parse-chunk.js';
import type { FinishReason, ModelPart } from '../parts.js';
import {
  interruptedError,
  type ReaderOptions,
  type ResponseProgress,
  type ResponseReader,
} from '../response/provider.js';
import { ToolCallAssembler } from '../response/tool-call-assembler.js';
import { type EventBlock, type EventDelta, type EventUsage, eventSchema } from './event-schema.js';
import { redactedOf, signatureOf } from './thinking.js';

const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['pause_turn', 'stop'],
  ['tool_use', 'tool_calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content_filter'],
]);
const NOTHING: readonly ModelPart[] = [];

interface OpenThinking {
  length: number;
  signature: string;
}

/** Reads the stream of Anthropic Messages. Usage may follow the stop reason. */
export class MessageReader implements ResponseReader {
  readonly #options: ReaderOptions;
  readonly #calls = new ToolCallAssembler();
  readonly #foreign = new Set<number>();
  readonly #thinking = new Map<number, OpenThinking>();
  #head: ResponseReader['head'] = {};
  #counts: EventUsage | undefined;
  #rawReason: string | undefined;
  #isStopped = false;
  #hasContent = false;

  constructor(options: ReaderOptions = { leavesOutReason: false }) {
    this.#options = options;
  }

  get head(): ResponseReader['head'] {
    return this.#head;
  }

  get usage(): Usage | undefined {
    return this.#counts === undefined ? undefined : toUsage(this.#counts);
  }

  get progress(): ResponseProgress {
    if (this.#rawReason === undefined) return this.#isStopped ? 'closing' : 'streaming';
    return this.#isStopped ? 'closed' : 'closing';
  }

  read(payload: string): readonly ModelPart[] {
    // Sent by some gateways.
    if (payload === '[DONE]') return NOTHING;
    const event = checkChunk(eventSchema, parsePayload(payload));
    const index = event.index ?? 0;
    this.#addUsage(event.message?.usage ?? event.usage);
    switch (event.type) {
      case 'message_start':
        this.#readHead(event.message ?? {});
        return NOTHING;
      case 'message':
        this.#readHead(event);
        this.#rawReason = event.stop_reason || this.#rawReason;
        return (event.content ?? []).flatMap((block, at) => [...this.#open(block, at), ...this.#close(at)]);
      case 'message_stop':
        this.#isStopped = true;
        return NOTHING;
      case 'content_block_start':
        return event.content_block ? this.#open(event.content_block, index) : NOTHING;
      case 'content_block_delta':
        return event.delta ? this.#readDelta(event.delta, index) : NOTHING;
      case 'content_block_stop':
        return this.#close(index);
      case 'message_delta':
        this.#rawReason = event.delta?.stop_reason || this.#rawReason;
        return NOTHING;
      default:
        return NOTHING;
    }
  }

  end(): readonly ModelPart[] {
    const isEnd = this.#isStopped && this.#hasContent;
    const rawReason = this.#rawReason ?? (this.#options.leavesOutReason && isEnd ? 'end_turn' : undefined);
    if (rawReason === undefined) throw interruptedError('no stop reason', isEnd);
    const reason = this.#reason(FINISH_REASONS.get(rawReason) ?? 'other');
    return [
      ...this.#calls.end(reason === 'length'),
      { type: 'finish', reason, ...(reason === 'other' && { rawReason }), usage: this.usage ?? NO_USAGE },
    ];
  }

  #reason(reason: FinishReason): FinishReason {
    return reason === 'stop' && !this.#calls.isEmpty ? 'tool_calls' : reason;
  }

  #readHead({ id, model }: { readonly id?: string | null | undefined; readonly model?: string | null | undefined }) {
    this.#head = { ...(id && { responseId: id }), ...(model && { model }) };
  }

  #open(block: EventBlock, index: number): readonly ModelPart[] {
    switch (block.type) {
      case 'text':
        return textPart(block.text);
      case 'thinking':
        this.#thinking.set(index, { length: 0, signature: block.signature ?? '' });
        return this.#addThinking(block.thinking, index);
      case 'redacted_thinking':
        return block.data ? [{ type: 'thinking_signature', signature: redactedOf(block.data) }] : NOTHING;
      case 'tool_use': {
        const { id, name, input } = block;
        // Streams start with an empty object; whole messages contain the input.
        const isGiven = input !== undefined && !(isJsonObject(input) && Object.keys(input).length === 0);
        const json = isGiven ? JSON.stringify(input) : '';
        return this.#calls.add({ index, id: id ?? '', function: { name: name ?? '', arguments: json } });
      }
      default:
        // The call of a tool that runs at the provider.
        this.#foreign.add(index);
        return NOTHING;
    }
  }

  #readDelta(delta: EventDelta, index: number): readonly ModelPart[] {
    this.#hasContent ||= delta.type === 'text_delta' || delta.type === 'input_json_delta';
    switch (delta.type) {
      case 'text_delta':
        return textPart(delta.text);
      case 'thinking_delta':
        return this.#addThinking(delta.thinking, index);
      case 'signature_delta': {
        const open = this.#thinking.get(index);
        if (open !== undefined) open.signature += delta.signature ?? '';
        return NOTHING;
      }
      case 'input_json_delta':
        return this.#foreign.has(index)
          ? NOTHING
          : this.#calls.add({ index, function: { arguments: delta.partial_json } });
      default:
        return NOTHING;
    }
  }

  #addThinking(text: string | null | undefined, index: number): readonly ModelPart[] {
    if (!text) return NOTHING;
    const open = this.#thinking.get(index);
    if (open !== undefined) open.length += text.length;
    return [{ type: 'thinking_delta', text }];
  }

  #close(index: number): readonly ModelPart[] {
    const open = this.#thinking.get(index);
    this.#thinking.delete(index);
    if (open === undefined || open.signature === '') return NOTHING;
    return [{ type: 'thinking_signature', signature: signatureOf(open.length, open.signature) }];
  }

  /** Counts are cumulative; the last event often has only the output. */
  #addUsage(usage: EventUsage | null | undefined): void {
    if (!usage) return;
    const given = Object.entries(usage).filter(([, count]) => typeof count === 'number');
    this.#counts = { ...this.#counts, ...Object.fromEntries(given) };
  }
}

function textPart(text: string | null | undefined): readonly ModelPart[] {
  return text ? [{ type: 'text_delta', text }] : NOTHING;
}

/** `input_tokens` of the provider leaves out what the cache had or got. */
function toUsage(counts: EventUsage): Usage {
  const cached = counts.cache_read_input_tokens ?? 0;
  const written = counts.cache_creation_input_tokens ?? 0;
  const input = (counts.input_tokens ?? 0) + cached + written;
  const output = counts.output_tokens ?? 0;
  return {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: cached,
    ...(written > 0 && { cache_creation_input_tokens: written }),
    total_tokens: input + output,
  };
}
