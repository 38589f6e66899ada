import {
  AgentError,
  type ContentBlock,
  type ErrorCode,
  type SDKMessage,
  type SDKResultMessage,
  type StreamEvent,
  type Usage,
} from '../index.js';
import type { AgentPart, FinishReason, JsonValue, Metadata, ModelUsage, PartEnd } from './language-model.js';

interface OpenBlock {
  readonly id: string;
  readonly kind: 'text' | 'reasoning' | 'tool';
}

/** A step is one answer of the model with the results of its tools. */
export type StepPart = { readonly type: 'step-start' | 'step-end' | 'step-discarded' };

/**
 * Converts the messages of one turn. Text arrives as it is written if the query has `includePartialMessages`. What
 * subagents write is left out; their reports are results of the tool `task`.
 */
export class AgentParts {
  readonly #names = new Map<string, string>();
  readonly #streamed = new Set<string>();
  readonly #open = new Map<number, OpenBlock>();
  /** Their ends wait until the message is complete, because they state whether it is. */
  readonly #written: OpenBlock[] = [];
  readonly #isJson: boolean;
  #isInStep = false;

  constructor({ isJson = false }: { readonly isJson?: boolean } = {}) {
    this.#isJson = isJson;
  }

  *read(message: SDKMessage): Generator<AgentPart | StepPart> {
    if ('parent_tool_use_id' in message && typeof message.parent_tool_use_id === 'string') return;
    switch (message.type) {
      case 'system':
        if (message.subtype === 'init') {
          yield { type: 'response-metadata', id: message.session_id, timestamp: new Date(), ...modelOf(message) };
        }
        // The answer broke off; the model is asked again.
        if (message.subtype === 'notice' && message.data.code === 'answer_discarded') yield { type: 'step-discarded' };
        break;
      case 'stream_event':
        yield* this.#readEvent(message.event, message.message_id ?? 'message');
        break;
      case 'assistant': {
        const { id, content, stop_reason: stopReason } = message.message;
        yield* this.#endWritten(stopReason === 'error');
        if (!this.#streamed.has(id)) yield* this.#startStep();
        for (const [index, block] of content.entries()) {
          yield* this.#readBlock(block, { id: `${id}:${index}`, isNew: !this.#streamed.has(id) });
        }
        break;
      }
      case 'user':
        if (typeof message.message.content === 'string') break;
        for (const block of message.message.content) yield* this.#readResult(block);
        break;
      case 'result':
        yield* this.#readEnd(message);
        break;
    }
  }

  *#readEvent(event: StreamEvent, messageId: string): Generator<AgentPart | StepPart> {
    switch (event.type) {
      case 'message_start':
        yield* this.#endWritten(false);
        this.#streamed.add(event.message.id);
        yield* this.#startStep();
        break;
      case 'content_block_start':
        yield* this.#openBlock(event.content_block, event.index, messageId);
        break;
      case 'content_block_delta': {
        const open = this.#open.get(event.index);
        if (open === undefined) break;
        const { delta } = event;
        if (delta.type === 'text_delta') yield { type: 'text-delta', id: open.id, delta: delta.text };
        if (delta.type === 'thinking_delta') yield { type: 'reasoning-delta', id: open.id, delta: delta.thinking };
        if (delta.type === 'input_json_delta')
          yield { type: 'tool-input-delta', id: open.id, delta: delta.partial_json };
        break;
      }
      case 'content_block_stop': {
        const open = this.#open.get(event.index);
        this.#open.delete(event.index);
        if (open?.kind === 'tool') yield endOf(open);
        else if (open !== undefined) this.#written.push(open);
        break;
      }
      default:
        break;
    }
  }

  *#openBlock(block: ContentBlock, index: number, messageId: string): Generator<AgentPart> {
    const id = `${messageId}:${index}`;
    if (block.type === 'text' && !this.#isJson) {
      this.#open.set(index, { id, kind: 'text' });
      yield { type: 'text-start', id };
    } else if (block.type === 'thinking') {
      this.#open.set(index, { id, kind: 'reasoning' });
      yield { type: 'reasoning-start', id };
    } else if (block.type === 'tool_use') {
      this.#open.set(index, { id: block.id, kind: 'tool' });
      yield { type: 'tool-input-start', id: block.id, toolName: block.name, providerExecuted: true, dynamic: true };
    }
  }

  *#readBlock(
    block: ContentBlock,
    { id, isNew }: { readonly id: string; readonly isNew: boolean },
  ): Generator<AgentPart> {
    if (block.type === 'tool_use') {
      this.#names.set(block.id, block.name);
      const input = JSON.stringify(block.input ?? {});
      yield {
        type: 'tool-call',
        toolCallId: block.id,
        toolName: block.name,
        input,
        providerExecuted: true,
        dynamic: true,
      };
    } else if (isNew && block.type === 'text' && !this.#isJson) {
      yield* wholeText(id, block.text);
    } else if (isNew && block.type === 'thinking') {
      yield { type: 'reasoning-start', id };
      yield { type: 'reasoning-delta', id, delta: block.thinking };
      yield { type: 'reasoning-end', id };
    }
  }

  *#readResult(block: ContentBlock): Generator<AgentPart> {
    if (block.type !== 'tool_result') return;
    const { tool_use_id: toolCallId, content, is_error: isError } = block;
    const toolName = this.#names.get(toolCallId);
    if (toolName === undefined) return;
    const result = (content ?? '') as NonNullable<JsonValue>;
    yield { type: 'tool-result', toolCallId, toolName, result, ...(isError === true && { isError }), dynamic: true };
  }

  *#readEnd(result: SDKResultMessage): Generator<AgentPart | StepPart> {
    yield* this.#endWritten(false);
    for (const open of this.#open.values()) yield endOf(open);
    this.#open.clear();
    if (this.#isJson && result.subtype === 'success') {
      yield* this.#startStep();
      yield* wholeText('structured_output', JSON.stringify(result.structured_output));
    }
    if (this.#isInStep) yield { type: 'step-end' };
    if (result.is_error) yield { type: 'error', error: errorOf(result) };
    yield {
      type: 'finish',
      usage: toModelUsage(result.usage),
      finishReason: finishReasonOf(result),
      providerMetadata: metadataOf(result),
    };
  }

  *#endWritten(isIncomplete: boolean): Generator<AgentPart> {
    for (const block of this.#written.splice(0)) {
      yield endOf(block, isIncomplete);
    }
  }

  *#startStep(): Generator<StepPart> {
    if (this.#isInStep) yield { type: 'step-end' };
    this.#isInStep = true;
    yield { type: 'step-start' };
  }
}

function errorOf({ error, subtype }: SDKResultMessage): AgentError {
  const { message = 'The turn failed.', code } = error ?? {};
  // A code of a newer CLI is kept: AgentError allows any string at run time.
  return new AgentError((code as ErrorCode | undefined) ?? 'turn_failed', message, { data: { subtype } });
}

function* wholeText(id: string, delta: string): Generator<AgentPart> {
  yield { type: 'text-start', id };
  yield { type: 'text-delta', id, delta };
  yield { type: 'text-end', id };
}

function endOf({ id, kind }: OpenBlock, isIncomplete = false): PartEnd {
  if (kind === 'tool') return { type: 'tool-input-end', id };
  return { type: `${kind}-end`, id, ...(isIncomplete && { providerMetadata: { qwen: { isIncomplete } } }) };
}

function modelOf(message: object): { modelId?: string } {
  return 'model' in message && typeof message.model === 'string' ? { modelId: message.model } : {};
}

function finishReasonOf({ subtype, is_error: isError }: SDKResultMessage): FinishReason {
  const unified = isError ? 'error' : subtype === 'interrupted' ? 'interrupted' : 'stop';
  return { unified, raw: subtype };
}

/** `input_tokens` include what the cache had or got. */
function toModelUsage(usage: Usage): ModelUsage {
  const { input_tokens: input, output_tokens: output, reasoning_output_tokens: reasoning } = usage;
  const { cache_read_input_tokens: cacheRead = 0, cache_creation_input_tokens: cacheWrite = 0 } = usage;
  return {
    inputTokens: { total: input, noCache: Math.max(0, input - cacheRead - cacheWrite), cacheRead, cacheWrite },
    outputTokens: { total: output, text: output - (reasoning ?? 0), reasoning },
  };
}

function metadataOf(result: SDKResultMessage): Metadata {
  const {
    session_id: sessionId,
    total_cost_usd: costUsd,
    permission_denials: denials,
    usage,
    num_turns: steps,
  } = result;
  return {
    qwen: {
      sessionId,
      steps,
      ...(costUsd !== undefined && { costUsd }),
      ...(usage.is_estimated === true && { isUsageEstimated: true }),
      denials: denials.map(({ tool_name: toolName, tool_use_id: toolCallId, reason }) => ({
        toolName,
        toolCallId,
        ...(reason !== undefined && { reason }),
      })),
    },
  };
}
