// The part of `LanguageModelV4` of `@ai-sdk/provider` that this provider reads and writes. Not imported: apps that use
// the SDK without the AI SDK must compile without that package. A type test compares both.

import type { QueryOptions } from '../options/options.js';

export type JsonValue =
  | null
  | string
  | number
  | boolean
  | readonly JsonValue[]
  | { [member: string]: JsonValue | undefined };

// oxlint-disable-next-line typescript/consistent-type-definitions -- an interface is no JSON object to the AI SDK.
export type QwenMetadata = {
  /** For `resume`. */
  sessionId: string;
  /** Calls of the model. */
  steps: number;
  costUsd?: number;
  /** The turn was cut off, and its usage contains estimates. */
  isUsageEstimated?: true;
  denials: { toolName: string; toolCallId: string; reason?: string }[];
};

// oxlint-disable-next-line typescript/consistent-type-definitions -- an interface is no JSON object to the AI SDK.
export type Metadata = { qwen: QwenMetadata };

export interface CallWarning {
  type: 'unsupported' | 'compatibility';
  feature: string;
  details?: string;
}

export interface FileData {
  readonly type: 'file';
  readonly mediaType: string;
  readonly data:
    | { readonly type: 'data'; readonly data: Uint8Array | string }
    | { readonly type: 'url'; readonly url: URL }
    | { readonly type: 'reference' }
    | { readonly type: 'text'; readonly text: string };
}

export interface OtherPart {
  readonly type: string;
}

export interface PromptMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | readonly (OtherPart | FileData | { readonly type: 'text'; readonly text: string })[];
}

export interface CallOptions {
  readonly prompt: readonly PromptMessage[];
  readonly responseFormat?:
    | { readonly type: 'text' }
    | { readonly type: 'json'; readonly schema?: object | boolean | undefined }
    | undefined;
  readonly tools?: readonly object[] | undefined;
  readonly reasoning?: 'provider-default' | 'none' | 'minimal' | QueryOptions['effort'];
  readonly abortSignal?: AbortSignal | undefined;
  readonly includeRawChunks?: boolean | undefined;
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
}

export interface ModelUsage {
  inputTokens: {
    total: number | undefined;
    noCache: number | undefined;
    cacheRead: number | undefined;
    cacheWrite: number | undefined;
  };
  outputTokens: { total: number | undefined; text: number | undefined; reasoning: number | undefined };
}

export interface FinishReason {
  unified: 'stop' | 'error' | 'interrupted';
  raw: string | undefined;
}

export interface ToolCallPart {
  type: 'tool-call';
  toolCallId: string;
  toolName: string;
  input: string;
  providerExecuted: true;
  dynamic: true;
}

export interface ToolResultPart {
  type: 'tool-result';
  toolCallId: string;
  toolName: string;
  result: NonNullable<JsonValue>;
  isError?: boolean;
  dynamic: true;
}

export interface FinishPart {
  type: 'finish';
  usage: ModelUsage;
  finishReason: FinishReason;
  providerMetadata: Metadata;
}

export interface ResponseMetadata {
  id?: string;
  modelId?: string;
  timestamp?: Date;
}

/** The end of a text or reasoning. `isIncomplete`: the answer broke off; another attempt follows, or an error. */
// oxlint-disable-next-line typescript/consistent-type-definitions -- an interface is no JSON object to the AI SDK.
export type EndMetadata = { qwen: { isIncomplete: boolean } };

export type PartEnd =
  | { type: 'text-end' | 'reasoning-end'; id: string; providerMetadata?: EndMetadata }
  | { type: 'tool-input-end'; id: string };

export type AgentPart =
  | { type: 'text-start' | 'reasoning-start'; id: string }
  | PartEnd
  | { type: 'text-delta' | 'reasoning-delta'; id: string; delta: string }
  | { type: 'tool-input-start'; id: string; toolName: string; providerExecuted: true; dynamic: true }
  | { type: 'tool-input-delta'; id: string; delta: string }
  | ToolCallPart
  | ToolResultPart
  | ({ type: 'response-metadata' } & ResponseMetadata)
  | { type: 'error'; error: unknown }
  | FinishPart;

export type StreamPart =
  | AgentPart
  | { type: 'stream-start'; warnings: CallWarning[] }
  | { type: 'raw'; rawValue: unknown };

export type Content =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | ToolCallPart
  | ToolResultPart;

export interface GenerateResult {
  content: Content[];
  finishReason: FinishReason;
  usage: ModelUsage;
  providerMetadata: Metadata;
  response: ResponseMetadata;
  warnings: CallWarning[];
}

/** An agent as a language model of the AI SDK: each call runs the agent to the end of its turn. */
export interface QwenLanguageModel {
  readonly specificationVersion: 'v4';
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls: Record<string, RegExp[]>;
  doGenerate(options: CallOptions): Promise<GenerateResult>;
  doStream(options: CallOptions): Promise<{ stream: ReadableStream<StreamPart> }>;
}
