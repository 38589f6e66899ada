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

test.each([
  ['/chat/completions', '404: page not found', 'A_URL may lack its version: try https://gate.example/v1.'],
  ['/api/chat/completions', '404: Not Found', 'A_URL may lack its version: try https://gate.example/api/v1.'],
  [
    '/v1/chat/completions/chat/completions',
    '404: Not Found',
    'Write A_URL without the path of the request: https://gate.example/v1.',
  ],
  ['/v1/responses/responses', '404: no', 'Write A_URL without the path of the request: https://gate.example/v1.'],
  ['/v1/chat/completions', '404: Not Found', 'Check the name of the model (--model) and A_URL.'],
  ['/api/chat/completions', "404: model 'm' not found", 'Check the name of the model (--model) and A_URL.'],
  ['/v1/messages', '404: no', 'Check the name of the model (--model) and A_URL.'],
])('404 from %s (%s)', (path, message, advice) => {
  const error = new AgentError('model_not_found', message, { data: { status: 404 } });
  const explained = explainFailure(error, { ...REQUEST, url: `https://gate.example${path}` }).message;
  expect(explained.endsWith(advice)).toBe(true);
});

test('a refused request is not blamed on the address', () => {
  const explain = (message: string, status = 400) =>
    explainFailure(new AgentError('invalid_request', message, { data: { status } }), REQUEST).message;
  const tools = 'Use a model with tool calls (--model), or enable them at the endpoint.';
  expect(explain('m does not support tools')).toContain(tools);
  expect(explain('"auto" tool choice requires --enable-auto-tool-choice to be set')).toContain(tools);
  expect(explain('System role not supported')).toContain('Use another model (--model).');
  expect(explain("Invalid 'tools[0].function.name'")).not.toContain(tools);
  expect(explain('temperature must be a number')).toBe(`temperature must be a number. The model was m at ${URL}.`);
  expect(explain('Method Not Allowed', 405)).toContain('Check A_URL.');
});
