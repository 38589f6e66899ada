import type { FamilyUnderTest } from '../../test/family-under-test.js';
import { describeModelContract } from '../model.contract.js';

const chunk = (delta: object, rest: object = {}) =>
  JSON.stringify({ id: 'answer-1', model: 'm', choices: [{ index: 0, delta, finish_reason: null, ...rest }] });

const OPENAI_COMPATIBLE: FamilyUnderTest = {
  name: 'openai-compatible',
  configFor: (url) => ({ family: 'openai-compatible', baseUrl: `${url}/v1`, apiKey: 'sk-canary-0123456789' }),
  text: (content) => chunk({ content }),
  thinking: (reasoning_content) => chunk({ reasoning_content }),
  call: ({ id, name, json }, index) =>
    chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: json } }] }),
  finish: (reason, counts) => [
    chunk({}, { finish_reason: reason }),
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
  emptyPayload: chunk({ role: 'assistant', content: '' }),
  reasons: { stop: 'stop', length: 'length', filtered: 'content_filter' },
  errorBody: (message) => JSON.stringify({ error: { message, type: 'some_error' } }),
  errorPayload: (message, code) => JSON.stringify({ error: { message, code } }),
  overflowMessage: "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
};

describeModelContract(OPENAI_COMPATIBLE);
