import type { AgentError, Effort, Usage } from '@qwen/protocol';

export type UserPart =
  | { readonly type: 'text'; readonly text: string }
  /** `data` is base64. */
  | { readonly type: 'image'; readonly mediaType: string; readonly data: string }
  | { readonly type: 'image_url'; readonly url: string };

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

export interface ToolResultPart {
  readonly callId: string;
  readonly name: string;
  readonly content: readonly UserPart[];
  readonly isError: boolean;
}

/** Providers require one tool result per call, in the `tool` message after the assistant message. */
export type ModelMessage =
  | { readonly role: 'user'; readonly content: readonly UserPart[] }
  | { readonly role: 'assistant'; readonly content: readonly AssistantPart[] }
  | { readonly role: 'tool'; readonly results: readonly ToolResultPart[] };

export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  /** JSON Schema; always an object schema. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** The same prefix produces the same bytes, so that provider caches hit. */
export interface ModelRequest {
  readonly model: string;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDeclaration[];
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  /** Limit of reasoning; 0: no reasoning. Stronger than `effort`. */
  readonly thinkingTokens?: number;
  /** Ignored if `effortStatus` reports no effect. Default: the provider's. */
  readonly effort?: Effort;
}

/** `length`: truncated at the token limit; `content_filter`: withheld; `other`: unknown, see `rawReason`. */
export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'other';

/**
 * `retry`s, `start`, then deltas and tool calls in the model's order, then one `finish` or `failure`. A `retry` may also
 * follow a part of an answer, which then begins again.
 */
export type ModelPart =
  | { readonly type: 'start'; readonly responseId?: string; readonly model?: string }
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'thinking_delta'; readonly text: string }
  /** Opaque; sent back unchanged with the thinking before it. */
  | { readonly type: 'thinking_signature'; readonly signature: string }
  | { readonly type: 'tool_call_start'; readonly id: string; readonly name: string }
  | { readonly type: 'tool_call_delta'; readonly id: string; readonly json: string }
  /** Without `input`, the call must not run. */
  | {
      readonly type: 'tool_call_end';
      readonly id: string;
      readonly name: string;
      readonly input?: Readonly<Record<string, unknown>>;
      readonly error?: AgentError;
      readonly signature?: string;
    }
  /** The next call starts after `delayMs`. `attempt` counts calls from 1. `discards`: all parts since `start`. */
  | {
      readonly type: 'retry';
      readonly attempt: number;
      readonly delayMs: number;
      readonly error: AgentError;
      readonly discards?: boolean;
    }
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly rawReason?: string; readonly usage: Usage }
  /** The tool calls before it must not run. */
  | { readonly type: 'failure'; readonly error: AgentError; readonly usage?: Usage };
