import { NO_USAGE, type Usage } from '@qwen/protocol';
import { checkChunk, parsePayload } from '../http/parse-chunk.js';
import { toStreamError } from '../http/status-error.js';
import type { FinishReason, ModelPart } from '../parts.js';
import { opaqueLine } from '../response/opaque-lines.js';
import { interruptedError, type ResponseProgress, type ResponseReader } from '../response/provider.js';
import { ToolCallAssembler } from '../response/tool-call-assembler.js';
import {
  type EventUsage,
  eventSchema,
  namedSchema,
  type OutputItem,
  type ResponseBody,
  type StreamEvent,
  wholeSchema,
} from './event-schema.js';

const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['completed', 'stop'],
  ['max_output_tokens', 'length'],
  ['max_tokens', 'length'],
  ['content_filter', 'content_filter'],
]);
const NOTHING: readonly ModelPart[] = [];

export class ResponseItemReader implements ResponseReader {
  readonly #calls = new ToolCallAssembler();
  /** Items with deltas; their ends add nothing. */
  readonly #streamed = new Set<number>();
  readonly #callIds = new Set<string>();
  #head: ResponseReader['head'] = {};
  #usage: Usage | undefined;
  #rawReason: string | undefined;
  #refused = false;

  get head(): ResponseReader['head'] {
    return this.#head;
  }

  get usage(): Usage | undefined {
    return this.#usage;
  }

  get progress(): ResponseProgress {
    return this.#rawReason === undefined ? 'streaming' : 'closed';
  }

  read(payload: string): readonly ModelPart[] {
    // Sent by some gateways.
    if (payload === '[DONE]') return NOTHING;
    const json = parsePayload(payload);
    const event = checkChunk(eventSchema, json);
    if (event.object === 'response') {
      return this.#end(checkChunk(wholeSchema, json));
    }
    checkChunk(namedSchema, json);
    const at = event.output_index ?? 0;
    switch (event.type) {
      case 'response.created':
      case 'response.in_progress':
        this.#readHead(event.response);
        return NOTHING;
      case 'response.output_item.added':
        return event.item?.type === 'function_call' ? this.#startCall(event.item, at) : NOTHING;
      case 'response.output_item.done':
        return event.item ? this.#endItem(event.item, at) : NOTHING;
      case 'response.completed':
      case 'response.done':
      case 'response.incomplete':
        return event.response ? this.#end(event.response) : NOTHING;
      case 'response.failed':
        throw toStreamError({ error: event.response?.error });
      case 'error':
        throw toStreamError({ error: { message: event.message, code: event.code } });
      default:
        return this.#readDelta(event, at);
    }
  }

  end(): readonly ModelPart[] {
    const rawReason = this.#rawReason;
    if (rawReason === undefined) throw interruptedError('no end of the response');
    const reason = this.#reason(FINISH_REASONS.get(rawReason) ?? 'other');
    return [
      ...this.#calls.end(reason === 'length'),
      { type: 'finish', reason, ...(reason === 'other' && { rawReason }), usage: this.#usage ?? NO_USAGE },
    ];
  }

  #reason(reason: FinishReason): FinishReason {
    if (reason !== 'stop') return reason;
    if (this.#refused) return 'content_filter';
    return this.#calls.isEmpty ? 'stop' : 'tool_calls';
  }

  #readHead(response: ResponseBody | null | undefined): void {
    const { id, model } = response ?? {};
    this.#head = { ...(id && { responseId: id }), ...(model && { model }) };
  }

  #readDelta({ type, delta, summary_index: part }: StreamEvent, at: number): readonly ModelPart[] {
    switch (type) {
      case 'response.output_text.delta':
        return this.#text(delta, at);
      case 'response.refusal.delta':
        this.#refused = true;
        return this.#text(delta, at);
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return delta ? [{ type: 'thinking_delta', text: delta }] : NOTHING;
      case 'response.reasoning_summary_part.added':
        return part ? [{ type: 'thinking_delta', text: '\n\n' }] : NOTHING;
      case 'response.function_call_arguments.delta':
        this.#streamed.add(at);
        return this.#calls.add({ index: at, function: { arguments: delta ?? '' } });
      default:
        return NOTHING;
    }
  }

  #text(text: string | null | undefined, at: number): readonly ModelPart[] {
    if (!text) return NOTHING;
    this.#streamed.add(at);
    return [{ type: 'text_delta', text }];
  }

  #startCall({ call_id, name }: OutputItem, at: number): readonly ModelPart[] {
    this.#callIds.add(call_id ?? '');
    return this.#calls.add({ index: at, id: call_id ?? '', function: { name: name ?? '', arguments: '' } });
  }

  #endItem(item: OutputItem, at: number): readonly ModelPart[] {
    if (item.type === 'reasoning') return [{ type: 'thinking_signature', signature: opaqueLine('responses', item) }];
    const isOtherCall =
      item.type === 'function_call' && Boolean(item.call_id) && !this.#callIds.has(item.call_id ?? '');
    if (this.#streamed.has(at) && !isOtherCall) return NOTHING;
    this.#streamed.add(at);
    if (item.call_id) this.#callIds.add(item.call_id);
    if (item.type === 'message') {
      return (item.content ?? []).flatMap(({ text, refusal }): readonly ModelPart[] => {
        this.#refused ||= Boolean(refusal);
        const words = text || refusal;
        return words ? [{ type: 'text_delta', text: words }] : NOTHING;
      });
    }
    if (item.type !== 'function_call') return NOTHING;
    const { call_id, name, arguments: json } = item;
    return this.#calls.add({ index: at, id: call_id ?? '', function: { name: name ?? '', arguments: json } });
  }

  /** Some endpoints send the items only here. */
  #end(response: ResponseBody): readonly ModelPart[] {
    if (response.status === 'failed') throw toStreamError({ error: response.error });
    if (this.#head.responseId === undefined) this.#readHead(response);
    if (response.usage) this.#usage = toUsage(response.usage);
    this.#rawReason = response.incomplete_details?.reason || response.status || 'completed';
    const hasNothing = this.#streamed.size === 0 && this.#calls.isEmpty;
    return hasNothing ? (response.output ?? []).flatMap((item, at) => this.#endItem(item, at)) : NOTHING;
  }
}

function toUsage(usage: EventUsage): Usage {
  const input = usage.input_tokens ?? 0;
  const output = usage.output_tokens ?? 0;
  const reasoning = usage.output_tokens_details?.reasoning_tokens ?? 0;
  const written = usage.input_tokens_details?.cache_write_tokens ?? 0;
  return {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: usage.input_tokens_details?.cached_tokens ?? 0,
    ...(written > 0 && { cache_creation_input_tokens: written }),
    ...(reasoning > 0 && { reasoning_output_tokens: reasoning }),
    total_tokens: usage.total_tokens ?? input + output,
  };
}
