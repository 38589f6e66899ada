import type { FamilyUnderTest } from '../../test/family-under-test.js';
import { describeModelContract } from '../model.contract.js';

const chunk = (parts: readonly object[], rest: object = {}) =>
  JSON.stringify({ candidates: [{ content: { role: 'model', parts }, index: 0, ...rest }], responseId: 'answer-1' });

const GEMINI: FamilyUnderTest = {
  name: 'gemini',
  configFor: (url) => ({ family: 'gemini', baseUrl: url, apiKey: 'sk-canary-0123456789' }),
  text: (text) => chunk([{ text }]),
  thinking: (text) => chunk([{ text, thought: true }]),
  call: ({ id, name, json }) => chunk([{ functionCall: { id, name, args: JSON.parse(json) } }]),
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
  emptyPayload: chunk([{ text: '' }]),
  reasons: { stop: 'STOP', length: 'MAX_TOKENS', filtered: 'SAFETY' },
  errorBody: (message) => JSON.stringify({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
  errorPayload: (message, code) => JSON.stringify({ error: { code, message, status: 'INTERNAL' } }),
  overflowMessage: 'The input token count (1052633) exceeds the maximum number of tokens allowed (1048576).',
};

describeModelContract(GEMINI);
