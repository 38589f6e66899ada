import { defined } from '@qwen/protocol';
import type { ChatOptions, ChatPart, ChatRequest, FunctionTool } from '@qwen/protocol/openai';
import type { HostTool } from './host-tool.js';

/** Options of one prompt. Default of each: that of the session. */
export interface PromptOptions {
  /** `_new` or an unknown id starts a session. Default: the session of the options. */
  readonly sessionId?: string | undefined;
  /** Id of the turn; must be unique. Default: the session id and a random part. */
  readonly promptId?: string | undefined;
  readonly model?: string | undefined;
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly maxTokens?: number | undefined;
  /** Names of the tools to offer. Default: all. */
  readonly tools?: readonly string[] | undefined;
}

export interface TurnIds {
  readonly sessionId: string;
  readonly promptId: string;
}

export function requestHead({ sessionId, promptId }: Partial<TurnIds>): Pick<ChatRequest, 'session_id' | 'prompt_id'> {
  return {
    ...defined({ session_id: sessionId, prompt_id: promptId }),
  };
}

export function toChatOptions({ model, temperature, topP, maxTokens, tools }: PromptOptions): ChatOptions | undefined {
  const options: ChatOptions = {
    ...defined({ model, temperature, top_p: topP, max_tokens: maxTokens }),
    ...(tools !== undefined && { tool_overrides: [...tools] }),
  };
  return Object.keys(options).length === 0 ? undefined : options;
}

export function toParts(prompt: string | readonly ChatPart[]): ChatPart[] {
  return typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : [...prompt];
}

export function toFunctionTool({ name, description, parameters }: HostTool): FunctionTool {
  return { type: 'function', function: { name, description, parameters: { ...parameters } } };
}

export function toToolResponse(
  ids: Partial<TurnIds>,
  answer: { readonly callId: string; readonly name?: string | undefined; readonly response: unknown },
): ChatRequest {
  const { callId, name, response } = answer;
  const functionResponse = { id: callId, ...(name !== undefined && { name }), response };
  return {
    ...requestHead(ids),
    tool_call_id: callId,
    input: { origin: 'tool_response', parts: [{ type: 'function_response', function_response: functionResponse }] },
  };
}
