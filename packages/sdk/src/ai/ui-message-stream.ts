import { isAbortError, type SDKMessage } from '../index.js';
import { AgentParts, type StepPart } from './agent-parts.js';
import { toReadableStream } from './create-qwen.js';
import type { AgentPart, EndMetadata, FinishPart, FinishReason, QwenMetadata } from './language-model.js';

/** Metadata of a message that the agent wrote, as `message.metadata` in the browser. */
export interface QwenMessageMetadata extends QwenMetadata {
  usage: FinishPart['usage'];
}

interface ToolInfo {
  readonly providerExecuted: true;
  readonly dynamic: true;
}

/** The chunks that {@link toUIMessageStream} writes, a part of `UIMessageChunk` of the AI SDK. */
export type QwenUIMessageChunk =
  | { type: 'start' }
  | { type: 'start-step' | 'finish-step' }
  | { type: 'text-start' | 'reasoning-start'; id: string }
  | { type: 'text-end' | 'reasoning-end'; id: string; providerMetadata?: EndMetadata }
  | { type: 'text-delta' | 'reasoning-delta'; id: string; delta: string }
  | ({ type: 'tool-input-start'; toolCallId: string; toolName: string } & ToolInfo)
  | { type: 'tool-input-delta'; toolCallId: string; inputTextDelta: string }
  | ({ type: 'tool-input-available'; toolCallId: string; toolName: string; input: unknown } & ToolInfo)
  | ({ type: 'tool-output-available'; toolCallId: string; output: unknown } & ToolInfo)
  | ({ type: 'tool-output-error'; toolCallId: string; errorText: string } & ToolInfo)
  | { type: 'error'; errorText: string }
  | { type: 'abort' }
  | { type: 'finish'; finishReason: FinishReason['unified']; messageMetadata: QwenMessageMetadata };

export interface UIMessageStreamOptions {
  /** The text of an error for the browser. Default: a text without details. */
  readonly onError?: ((error: unknown) => string) | undefined;
  /** Default: true. */
  readonly sendReasoning?: boolean | undefined;
}

const TOOL: ToolInfo = { providerExecuted: true, dynamic: true };

/**
 * One turn of a query as a UI message stream, for `createUIMessageStreamResponse()` and `useChat` of the AI SDK. It
 * ends with the turn's result; a query with more prompts continues with another call. Cancelling it closes the query.
 * Set `includePartialMessages` to stream text as it is written.
 *
 * @example
 * import { query } from '@qwen/sdk';
 * import { toUIMessageStream } from '@qwen/sdk/ai';
 * import { createUIMessageStreamResponse } from 'ai';
 *
 * export function POST(): Response {
 *   const running = query({ prompt: 'What does this project do?', options: { includePartialMessages: true } });
 *   return createUIMessageStreamResponse({ stream: toUIMessageStream(running) });
 * }
 */
export function toUIMessageStream(
  messages: AsyncIterable<SDKMessage>,
  options: UIMessageStreamOptions = {},
): ReadableStream<QwenUIMessageChunk> {
  const source = messages[Symbol.asyncIterator]();
  return toReadableStream(chunksOf(source, options), async () => source.return?.());
}

async function* chunksOf(
  source: AsyncIterator<SDKMessage>,
  { onError = () => 'An error occurred.', sendReasoning = true }: UIMessageStreamOptions,
): AsyncGenerator<QwenUIMessageChunk, void> {
  const reader = new AgentParts();
  yield { type: 'start' };
  try {
    // Not `for await`, which would close a query with more prompts.
    for (;;) {
      const step = await source.next();
      if (step.done === true) return;
      for (const part of reader.read(step.value)) {
        const chunk = toChunk(part, onError);
        if (chunk !== undefined && (sendReasoning || !chunk.type.startsWith('reasoning-'))) yield chunk;
      }
      if (step.value.type === 'result') return;
    }
  } catch (thrown) {
    yield isAbortError(thrown) ? { type: 'abort' } : { type: 'error', errorText: onError(thrown) };
  }
}

function toChunk(part: AgentPart | StepPart, onError: (error: unknown) => string): QwenUIMessageChunk | undefined {
  switch (part.type) {
    case 'step-start':
      return { type: 'start-step' };
    case 'step-end':
      return { type: 'finish-step' };
    case 'tool-input-start':
      return { type: 'tool-input-start', toolCallId: part.id, toolName: part.toolName, ...TOOL };
    case 'tool-input-delta':
      return { type: 'tool-input-delta', toolCallId: part.id, inputTextDelta: part.delta };
    case 'tool-call': {
      const { toolCallId, toolName, input } = part;
      return { type: 'tool-input-available', toolCallId, toolName, input: JSON.parse(input), ...TOOL };
    }
    case 'tool-result': {
      const { toolCallId, result, isError } = part;
      if (isError !== true) return { type: 'tool-output-available', toolCallId, output: result, ...TOOL };
      const errorText = typeof result === 'string' ? result : JSON.stringify(result);
      return { type: 'tool-output-error', toolCallId, errorText, ...TOOL };
    }
    case 'error':
      return { type: 'error', errorText: onError(part.error) };
    case 'finish': {
      const messageMetadata = { ...part.providerMetadata.qwen, usage: part.usage };
      return { type: 'finish', finishReason: part.finishReason.unified, messageMetadata };
    }
    case 'step-discarded':
    case 'response-metadata':
    case 'tool-input-end':
      return undefined;
    default:
      return part;
  }
}
