import type { ModelConfig } from '@qwen/models';
import type { ProviderWire } from '@qwen/testkit';

/** The family under test: its configuration and wire payloads. */
export interface FamilyUnderTest extends ProviderWire {
  readonly name: string;
  /** `url` is `http://host:port`. */
  configFor(url: string): ModelConfig;
  thinking(text: string): string;
  readonly reasons: ProviderWire['reasons'] & { readonly filtered: string };
  /** The provider's message for a context overflow. */
  readonly overflowMessage: string;
}

export function eventsOf(payloads: readonly string[]): string {
  return payloads.map((payload) => `data: ${payload}\n\n`).join('');
}

const chatChunk = (delta: object, rest: object = {}) =>
  JSON.stringify({ id: 'answer-1', model: 'm', choices: [{ index: 0, delta, finish_reason: null, ...rest }] });

export const OPENAI_COMPATIBLE: FamilyUnderTest = {
  name: 'openai-compatible',
  configFor: (url) => ({ family: 'openai-compatible', baseUrl: `${url}/v1`, apiKey: 'sk-canary-0123456789' }),
  text: (content) => chatChunk({ content }),
  thinking: (reasoning_content) => chatChunk({ reasoning_content }),
  call: ({ id, name, json }, index) =>
    chatChunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: json } }] }),
  finish: (reason, counts) => [
    chatChunk({}, { finish_reason: reason }),
    ...(counts === undefined
      ? []
      : [
          JSON.stringify({
            choices: [],
            usage: {
              prompt_tokens: counts.input,
              completion_tokens: counts.output,
              total_tokens: counts.input + counts.output,
              prompt_tokens_details: { cached_tokens: counts.cached },
            },
          }),
        ]),
    '[DONE]',
  ],
  emptyPayload: chatChunk({ role: 'assistant', content: '' }),
  reasons: { stop: 'stop', length: 'length', filtered: 'content_filter' },
  errorBody: (message) => JSON.stringify({ error: { message, type: 'some_error' } }),
  errorPayload: (message, code) => JSON.stringify({ error: { message, code } }),
  whole: (content) =>
    JSON.stringify({
      id: 'a',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    }),
  endMarker: ['[DONE]'],
  overflowMessage: "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
};

const event = (value: object) => JSON.stringify(value);
const blockDelta = (index: number, value: object) => event({ type: 'content_block_delta', index, delta: value });
const ERROR_TYPES: Readonly<Record<number, string>> = { 429: 'rate_limit_error', 503: 'overloaded_error' };

export const ANTHROPIC: FamilyUnderTest = {
  name: 'anthropic',
  configFor: (url) => ({ family: 'anthropic', baseUrl: url, apiKey: 'sk-canary-0123456789' }),
  text: (text) => blockDelta(0, { type: 'text_delta', text }),
  thinking: (thinking) => blockDelta(0, { type: 'thinking_delta', thinking }),
  call: ({ id, name, json }, position) =>
    [
      event({
        type: 'content_block_start',
        index: position + 1,
        content_block: { type: 'tool_use', id, name, input: {} },
      }),
      blockDelta(position + 1, { type: 'input_json_delta', partial_json: json }),
      event({ type: 'content_block_stop', index: position + 1 }),
    ].join('\n\ndata: '),
  finish: (stop_reason, counts) => [
    event({
      type: 'message_delta',
      delta: { stop_reason },
      ...(counts !== undefined && {
        usage: {
          input_tokens: counts.input - counts.cached,
          cache_read_input_tokens: counts.cached,
          output_tokens: counts.output,
        },
      }),
    }),
    event({ type: 'message_stop' }),
  ],
  emptyPayload: event({ type: 'ping' }),
  reasons: { stop: 'end_turn', length: 'max_tokens', filtered: 'refusal' },
  errorBody: (message) => event({ type: 'error', error: { type: 'invalid_request_error', message } }),
  errorPayload: (message, status) => event({ type: 'error', error: { type: ERROR_TYPES[status], message } }),
  whole: (text) => event({ type: 'message', id: 'a', content: [{ type: 'text', text }], stop_reason: 'end_turn' }),
  endMarker: [event({ type: 'message_stop' })],
  overflowMessage: 'prompt is too long: 210000 tokens > 200000 maximum',
};

export const RESPONSES: FamilyUnderTest = {
  name: 'openai-responses',
  configFor: (url) => ({ family: 'openai-responses', baseUrl: `${url}/v1`, apiKey: 'sk-canary-0123456789' }),
  text: (delta) => event({ type: 'response.output_text.delta', output_index: 0, delta }),
  thinking: (delta) => event({ type: 'response.reasoning_summary_text.delta', output_index: 0, delta }),
  call: ({ id, name, json }, position) =>
    event({
      type: 'response.output_item.done',
      output_index: position + 1,
      item: { type: 'function_call', id: `fc_${position}`, call_id: id, name, arguments: json },
    }),
  finish: (reason, counts) => [
    event({
      type: reason === 'completed' ? 'response.completed' : 'response.incomplete',
      response: {
        id: 'answer-1',
        status: reason === 'completed' ? reason : 'incomplete',
        ...(reason !== 'completed' && { incomplete_details: { reason } }),
        ...(counts !== undefined && {
          usage: {
            input_tokens: counts.input,
            input_tokens_details: { cached_tokens: counts.cached },
            output_tokens: counts.output,
            total_tokens: counts.input + counts.output,
          },
        }),
      },
    }),
  ],
  emptyPayload: event({ type: 'response.in_progress', response: { id: 'answer-1' } }),
  reasons: { stop: 'completed', length: 'max_output_tokens', filtered: 'content_filter' },
  errorBody: (message) => event({ error: { message, type: 'some_error' } }),
  errorPayload: (message, status) =>
    event({ type: 'error', message, code: status === 429 ? 'rate_limit_exceeded' : 'server_error' }),
  whole: (text) =>
    event({
      object: 'response',
      id: 'a',
      status: 'completed',
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }],
    }),
  endMarker: [],
  overflowMessage: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
};

const contentChunk = (parts: readonly object[], rest: object = {}) =>
  JSON.stringify({ candidates: [{ content: { role: 'model', parts }, index: 0, ...rest }], responseId: 'answer-1' });

export const GEMINI: FamilyUnderTest = {
  name: 'gemini',
  configFor: (url) => ({ family: 'gemini', baseUrl: url, apiKey: 'sk-canary-0123456789' }),
  text: (text) => contentChunk([{ text }]),
  thinking: (text) => contentChunk([{ text, thought: true }]),
  call: ({ id, name, json }) => contentChunk([{ functionCall: { id, name, args: JSON.parse(json) } }]),
  finish: (finishReason, counts) => [
    JSON.stringify({
      candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason }],
      ...(counts !== undefined && {
        usageMetadata: {
          promptTokenCount: counts.input,
          candidatesTokenCount: counts.output,
          cachedContentTokenCount: counts.cached,
          totalTokenCount: counts.input + counts.output,
        },
      }),
    }),
  ],
  emptyPayload: contentChunk([{ text: '' }]),
  reasons: { stop: 'STOP', length: 'MAX_TOKENS', filtered: 'SAFETY' },
  errorBody: (message) => JSON.stringify({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
  errorPayload: (message, code) => JSON.stringify({ error: { code, message, status: 'INTERNAL' } }),
  // Without `alt=sse`, an array of the chunks.
  whole: (text) => `[${contentChunk([{ text }])},\n${contentChunk([], { finishReason: 'STOP' })}]`,
  endMarker: [],
  overflowMessage: 'The input token count (1052633) exceeds the maximum number of tokens allowed (1048576).',
};

export const FAMILIES: readonly FamilyUnderTest[] = [OPENAI_COMPATIBLE, RESPONSES, ANTHROPIC, GEMINI];
