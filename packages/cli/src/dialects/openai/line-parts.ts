import type {
  Annotation,
  ChunkLine,
  CompletionLine,
  CompletionUsage,
  LineMetadata,
  LineToolCall,
} from '@qwen/protocol/openai';
import type { LineClock } from './line-clock.js';

/** `message` is `stream-json`; `chunk` is `stream-chunk-json`. */
export type LineFormat = 'message' | 'chunk';

export interface LineOrigin {
  readonly format: LineFormat;
  readonly clock: LineClock;
  readonly sessionId: string;
  readonly promptId?: string;
  /** The model of the last answer, else the current one. */
  readonly model: string;
  /** Chunk format: `content` would join the current message. Default false. */
  readonly isInsideMessage?: boolean;
}

/** A line in place of a model answer, in either format. */
export type ModelLine = CompletionLine | ChunkLine;

/** `error` only for an unsupported protocol. */
export type LineFinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter';

/** OpenAI's `ChatCompletionMessage` with more annotation types. */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: string | null;
  readonly refusal: null;
  readonly tool_calls?: LineToolCall[];
  readonly annotations?: Annotation[];
}

/** OpenAI's `ChatCompletion` with more annotation types and metadata. */
export interface AssistantLine extends Pick<CompletionLine, 'object' | 'id' | 'created' | 'model' | 'metadata'> {
  readonly choices: [
    {
      readonly index: number;
      readonly message: AssistantMessage;
      readonly logprobs: null;
      readonly finish_reason: LineFinishReason;
    },
  ];
  readonly usage?: LineUsage;
}

export interface LineUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details?: { readonly cached_tokens: number };
  readonly is_estimated?: true;
}

type Choice = CompletionLine['choices'][number];

export interface CompletionParts {
  /** Missing: the line carries metadata only. */
  readonly choice?: Omit<Choice, 'index' | 'logprobs'>;
  readonly usage?: CompletionUsage;
  readonly metadata?: LineMetadata;
}

export interface ChunkParts {
  readonly delta?: ChunkLine['choices'][number]['delta'];
  readonly finishReason?: LineFinishReason | 'error';
  readonly usage?: CompletionUsage;
  readonly metadata?: LineMetadata;
}

export function completionLine(origin: LineOrigin, { choice, usage, metadata }: CompletionParts): CompletionLine {
  return {
    object: 'chat.completion',
    ...headOf(origin),
    choices: choice === undefined ? [] : [{ index: 0, ...choice, logprobs: null }],
    ...(usage !== undefined && { usage }),
    metadata: { ...idsOf(origin), ...metadata },
  };
}

export function chunkLine(origin: LineOrigin, { delta, finishReason, usage, metadata }: ChunkParts): ChunkLine {
  return {
    object: 'chat.completion.chunk',
    ...headOf(origin),
    choices: delta === undefined ? [] : [{ index: 0, delta, finish_reason: finishReason ?? null }],
    ...(usage !== undefined && { usage }),
    metadata: { ...idsOf(origin), ...metadata },
  };
}

export function annotationLine(
  origin: LineOrigin,
  annotations: readonly Annotation[],
  metadata: LineMetadata = {},
): ModelLine {
  if (origin.format === 'chunk') return chunkLine(origin, { delta: { annotations: [...annotations] }, metadata });
  const message = { content: null, refusal: null, annotations: [...annotations] };
  return completionLine(origin, {
    choice: { message: { role: 'assistant', ...message }, finish_reason: null },
    metadata,
  });
}

export function metadataLine(origin: LineOrigin, metadata: LineMetadata): ModelLine {
  return origin.format === 'chunk' ? chunkLine(origin, { metadata }) : completionLine(origin, { metadata });
}

export function promptIdOf({ promptId }: LineOrigin): { prompt_id?: string } {
  return promptId === undefined ? {} : { prompt_id: promptId };
}

export function headOf({ clock, sessionId, model }: LineOrigin): Pick<CompletionLine, 'id' | 'created' | 'model'> {
  return { id: `chatcmpl-${sessionId}`, created: clock.seconds(), model };
}

export function idsOf(origin: LineOrigin): { session_id: string; prompt_id?: string } {
  return { session_id: origin.sessionId, ...promptIdOf(origin) };
}
