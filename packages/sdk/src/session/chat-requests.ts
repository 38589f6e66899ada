import type { ChatOptions, ChatPart, ChatRequest, FunctionTool } from '@qwen/protocol/openai';
import type { HostTool } from './host-tool.js';

/** Wishes for one prompt; what is missing is as the session has it (E-19). */
export interface PromptOptions {
  /** Default: the session of the options. `_new` and a name of your own make one. */
  readonly sessionId?: string | undefined;
  /** Names the turn; must be new. Default: made of the session and a random part. */
  readonly promptId?: string | undefined;
  readonly model?: string | undefined;
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly maxTokens?: number | undefined;
  /** The only tools of this prompt, by name. Default: all. */
  readonly tools?: readonly string[] | undefined;
}

/** Which turn a request makes. */
export interface TurnPlace {
  readonly sessionId: string;
  readonly promptId: string;
}

/** The beginning of every request of a turn. */
export function requestHead({
  sessionId,
  promptId,
}: Partial<TurnPlace>): Pick<ChatRequest, 'session_id' | 'prompt_id'> {
  return {
    ...(sessionId !== undefined && { session_id: sessionId }),
    ...(promptId !== undefined && { prompt_id: promptId }),
  };
}

export function toChatOptions({ model, temperature, topP, maxTokens, tools }: PromptOptions): ChatOptions | undefined {
  const options: ChatOptions = {
    ...(model !== undefined && { model }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(tools !== undefined && { tool_overrides: [...tools] }),
  };
  return Object.keys(options).length === 0 ? undefined : options;
}

export function toParts(prompt: string | readonly ChatPart[]): ChatPart[] {
  return typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : [...prompt];
}

/** How a tool of the app is told to the CLI (GAP-05). */
export function toFunctionTool({ name, description, parameters }: HostTool): FunctionTool {
  return { type: 'function', function: { name, description, parameters: { ...parameters } } };
}

/** The result of a call that the app answers (E-13, E-26). */
export function toToolResponse(
  place: Partial<TurnPlace>,
  answer: { readonly callId: string; readonly name?: string | undefined; readonly response: unknown },
): ChatRequest {
  const { callId, name, response } = answer;
  const functionResponse = { id: callId, ...(name !== undefined && { name }), response };
  return {
    ...requestHead(place),
    tool_call_id: callId,
    input: { origin: 'tool_response', parts: [{ type: 'function_response', function_response: functionResponse }] },
  };
}
