import type { FamilyUnderTest } from '../../test/family-under-test.js';
import { describeModelContract } from '../model.contract.js';

const event = (value: object) => JSON.stringify(value);

const RESPONSES: FamilyUnderTest = {
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
  overflowMessage: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
};

describeModelContract(RESPONSES);
