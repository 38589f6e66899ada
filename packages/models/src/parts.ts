import type { AgentError, Effort, Usage } from '@qwen/protocol';

/** A piece of what a person or program says to the model. */
export type UserPart =
  | { readonly type: 'text'; readonly text: string }
  /** `data` is base64. */
  | { readonly type: 'image'; readonly mediaType: string; readonly data: string }
  | { readonly type: 'image_url'; readonly url: string };

/** A piece of what the model said. */
export type AssistantPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string; readonly signature?: string }
  | {
      readonly type: 'tool_call';
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
      readonly signature?: string;
    };

/** The outcome of one tool call, as the model reads it. */
export interface ToolResultPart {
  readonly callId: string;
  readonly name: string;
  readonly content: readonly UserPart[];
  readonly isError: boolean;
}

/**
 * One entry of the conversation. Each tool call of an assistant message is answered by exactly one tool result
 * in the `tool` message that follows it; providers refuse anything else.
 */
export type ModelMessage =
  | { readonly role: 'user'; readonly content: readonly UserPart[] }
  | { readonly role: 'assistant'; readonly content: readonly AssistantPart[] }
  | { readonly role: 'tool'; readonly results: readonly ToolResultPart[] };

/** A tool as the model sees it. */
export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input: always an object schema. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** What one model call is made of. The same prefix gives the same bytes, so that provider caches hit. */
export interface ModelRequest {
  readonly model: string;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDeclaration[];
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  /** How much the model shall think; where `effortStatus` says that it has none, nothing is sent. Default: as the provider likes. */
  readonly effort?: Effort;
}

/**
 * Why an answer ended. `length`: cut at the token limit; `content_filter`: withheld; `other`: a word we do not know,
 * kept in `rawReason`.
 */
export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'other';

/**
 * One step of an answer. Order: `start` once, then deltas and tool calls in the order the model made them, then
 * exactly one of `finish` and `failure`, and nothing after it. `retry` comes only before `start`.
 */
export type ModelPart =
  | { readonly type: 'start'; readonly responseId?: string; readonly model?: string }
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'thinking_delta'; readonly text: string }
  /** Opaque proof of the thinking before it, to be sent back unchanged. */
  | { readonly type: 'thinking_signature'; readonly signature: string }
  | { readonly type: 'tool_call_start'; readonly id: string; readonly name: string }
  | { readonly type: 'tool_call_delta'; readonly id: string; readonly json: string }
  /**
   * The call is whole. `input` is set when the arguments were a JSON object; otherwise `error` says what was wrong
   * and the call must not run (F75, F76).
   */
  | {
      readonly type: 'tool_call_end';
      readonly id: string;
      readonly name: string;
      readonly input?: Readonly<Record<string, unknown>>;
      readonly error?: AgentError;
      readonly signature?: string;
    }
  /** A call failed before any content; the next one begins after `delayMs`. `attempt` counts the calls so far, from 1. */
  | { readonly type: 'retry'; readonly attempt: number; readonly delayMs: number; readonly error: AgentError }
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly rawReason?: string; readonly usage: Usage }
  /** Nothing usable follows. What was streamed before it is kept by the reader but its tool calls must not run. */
  | { readonly type: 'failure'; readonly error: AgentError; readonly usage?: Usage };
