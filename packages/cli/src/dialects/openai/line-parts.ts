import type {
  Annotation,
  ChunkLine,
  CompletionLine,
  CompletionUsage,
  LineMetadata,
  LineToolCall,
} from '@qwen/protocol/openai';
import type { LineClock } from './line-clock.js';

/** `message`: a whole answer a line (`stream-json`, group B). `chunk`: its pieces (`stream-chunk-json`, group C). */
export type LineFormat = 'message' | 'chunk';

/** Where a line comes from. */
export interface LineOrigin {
  readonly format: LineFormat;
  readonly clock: LineClock;
  readonly sessionId: string;
  /** The turn; missing between turns. */
  readonly promptId?: string;
  /** The model that answered last, or would answer now. */
  readonly model: string;
  /** Chunk format: a message of this session is under way, so `content` would become part of it. Default false. */
  readonly isInsideMessage?: boolean;
}

/** A line that stands in the place of a model's answer, in either format. */
export type ModelLine = CompletionLine | ChunkLine;

/** Why an answer ended (B-14, GAP-17). `error` only where the protocol itself is not supported (K-03). */
export type LineFinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter';

/** A message of the model: a `ChatCompletionMessage` of OpenAI's client, with annotations of more kinds. */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: string | null;
  readonly refusal: null;
  readonly tool_calls?: LineToolCall[];
  readonly annotations?: Annotation[];
}

/** A message of the model as a line: a `ChatCompletion` of OpenAI's client, with annotations and metadata of more kinds. */
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

/** Token counts as the client of OpenAI has them. */
export interface LineUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details?: { readonly cached_tokens: number };
}

type Choice = CompletionLine['choices'][number];

/** What a whole line says beside where it comes from. */
export interface CompletionParts {
  /** None: the line says something with its metadata alone. */
  readonly choice?: Omit<Choice, 'index' | 'logprobs'>;
  readonly usage?: CompletionUsage;
  readonly metadata?: LineMetadata;
}

/** What a chunk says beside where it comes from. */
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

/** News that belong to no message (GAP-18, GAP-19). */
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

/** Facts alone: a line without choices. */
export function metadataLine(origin: LineOrigin, metadata: LineMetadata): ModelLine {
  return origin.format === 'chunk' ? chunkLine(origin, { metadata }) : completionLine(origin, { metadata });
}

/** On annotations and lines of a turn. */
export function promptIdOf({ promptId }: LineOrigin): { prompt_id?: string } {
  return promptId === undefined ? {} : { prompt_id: promptId };
}

/** What all lines of a model's answer begin with (B-04 … B-06). */
export function headOf({ clock, sessionId, model }: LineOrigin): Pick<CompletionLine, 'id' | 'created' | 'model'> {
  return { id: `chatcmpl-${sessionId}`, created: clock.seconds(), model };
}

/** Which session and turn a line belongs to (GAP-15). */
export function idsOf(origin: LineOrigin): LineMetadata {
  return { session_id: origin.sessionId, ...promptIdOf(origin) };
}
