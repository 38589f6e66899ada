import type { FamilyUnderTest } from '../../test/family-under-test.js';
import { describeModelContract } from '../model.contract.js';

const event = (value: object) => JSON.stringify(value);
const delta = (index: number, value: object) => event({ type: 'content_block_delta', index, delta: value });
const ERROR_TYPES: Readonly<Record<number, string>> = { 429: 'rate_limit_error', 503: 'overloaded_error' };

const ANTHROPIC: FamilyUnderTest = {
  name: 'anthropic',
  configFor: (url) => ({ family: 'anthropic', baseUrl: url, apiKey: 'sk-canary-0123456789' }),
  text: (text) => delta(0, { type: 'text_delta', text }),
  thinking: (thinking) => delta(0, { type: 'thinking_delta', thinking }),
  call: ({ id, name, json }, position) =>
    [
      event({
        type: 'content_block_start',
        index: position + 1,
        content_block: { type: 'tool_use', id, name, input: {} },
      }),
      delta(position + 1, { type: 'input_json_delta', partial_json: json }),
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
  overflowMessage: 'prompt is too long: 210000 tokens > 200000 maximum',
};

describeModelContract(ANTHROPIC);
