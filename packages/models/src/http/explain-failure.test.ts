import { AgentError, type ErrorCode } from '@qwen/protocol';
import { expect, test } from 'vitest';
import { explainFailure } from './explain-failure.js';

const URL = 'https://api.example/v1/chat/completions';
const REQUEST = { model: 'm', url: URL, apiKey: 'A_KEY', baseUrl: 'A_URL', retryTimeMs: 2_000, maxRetryAfterMs: 1_000 };

test.each<[ErrorCode, string, string]>([
  ['auth_failed', 'Refused.', `Refused. The model was m at ${URL}. Check A_KEY.`],
  ['provider_error', 'Returned 500.', `Returned 500. The model was m at ${URL}.`],
  ['rate_limited', 'Returned 429', `Returned 429. The model was m at ${URL}.`],
  ['network_unavailable', `No connection to ${URL}.`, `No connection to ${URL}. The model was m. Check A_URL.`],
  ['bad_model_response', 'A page. Check the base URL.', `A page. Check A_URL. The model was m at ${URL}.`],
])('%s: the address and the advice appear once', (code, message, explained) => {
  expect(explainFailure(new AgentError(code, message), REQUEST).message).toBe(explained);
});

test('a long delay names the limit that it exceeds', () => {
  const limited = new AgentError('rate_limited', 'Returned 429.', { data: { retryAfterSeconds: 60 } });
  expect(explainFailure(limited, REQUEST).message).toContain('asks to wait 60 s, more than --max-retry-wait allows.');
  const brief = { ...REQUEST, retryTimeMs: 500 };
  expect(explainFailure(limited, brief).message).toContain('asks to wait 60 s, more than --retry-time allows.');
});

test('a failing proxy keeps its own advice', () => {
  const error = new AgentError('network_unavailable', 'No proxy. Check --proxy.', { data: { proxy: 'p:1' } });
  expect(explainFailure(error, REQUEST).message).not.toContain('A_URL');
});
