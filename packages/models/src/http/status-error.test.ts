import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { toStatusError, toStreamError } from './status-error.js';

const codeOf = (status: number, message: string, code?: string) =>
  toStatusError({ status, header: () => undefined, body: JSON.stringify({ error: { message, code } }), receivedAt: 0 })
    .code;

test.for([
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
  'Range of input length should be [1, 129024]',
  'the request exceeds the available context size (4096 tokens), try increasing it',
  'The input token count (1052633) exceeds the maximum number of tokens allowed (1048576).',
  'Prompt contains 40000 tokens, too large for model with 32768 maximum context length',
  'prompt is too long: 210000 tokens > 200000 maximum',
  "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
  'Input is too long for requested model.',
  'input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000',
  'Invalid request: Your request exceeded model token limit: 131072 (requested: 140000)',
  'prompt token count of 130000 exceeds the limit of 128000',
  'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 32769. Given: 40000 `inputs` tokens',
  'The decoder prompt (length 40000) is longer than the maximum model length of 32768.',
  'litellm.ContextWindowExceededError: too big',
  'Prompt exceeds max length',
  'Please reduce the length of the messages or completion.',
  'Unable to submit request because the input token count is 1500000 but model only supports up to 1048576.',
  'Prompt 超长',
  'total tokens of messages and tools exceeds model context',
  'input tokens length exceeds the context: 40000 > 32768',
  'Conversation too long. Please start a new one.',
  'Input validation error: `inputs` must have less than 4096 tokens. Given: 5000',
  'prompt tokens too long',
  'Total tokens of image and text exceed max message tokens.',
  'length of prompt_tokens must be less than max_seq_len (32768)',
  'Prompt length (40000) exceeds max_context (32768)',
  'The engine prompt length 40000 exceeds the max_model_len 32768. Please reduce prompt.',
  'max_tokens must be at least 1, got -233.',
  'n_keep: 5000 >= n_ctx: 4096. The number of tokens to keep from the initial prompt',
  'The prompt length 140000 is greater than the maximum 131072',
  'prompt too long: 140000 tokens, max 131072',
  'The prompt has 40000 tokens but the model only supports 32768',
  'Please reduce your prompt; you requested 9000 tokens (8000 in your prompt; 1000 for the completion)',
  'context overflow: 9000 > 8192',
  'input_tokens (40000) + max_tokens (4096) must be <= 32768',
  'prompt_too_long',
  'tokens limit exceeded: 40000 of 32000',
  'Message length exceeds maximum context',
  'This model is limited to 8192 tokens, your messages resulted in 9000 tokens',
  'kv cache is full: prompt does not fit',
  'maximum number of input tokens is 8192',
  'Input token length too long',
  'The input exceeds session_len 32768',
  'Malformed input request: expected maxLength: 1000000, actual: 1200000, please reformat your input and try again.',
  "Invalid 'messages[1].content': string too long. Expected a string with maximum length 1048576.",
])('too long: %s', (message) => {
  verifies('F77');
  expect(codeOf(400, message)).toBe('context_overflow');
});

test.for<[number, string, string | undefined, string]>([
  [429, 'You exceeded your current quota, please check your plan.', 'insufficient_quota', 'permission_refused'],
  [429, 'You exceeded your current quota. Please retry in 3s.', undefined, 'rate_limited'],
  [400, 'API key not valid. Please pass a valid API key.', undefined, 'auth_failed'],
  [400, 'Access denied, please make sure your account is in good standing.', 'Arrearage', 'permission_refused'],
  [400, 'Output data may contain inappropriate content.', 'data_inspection_failed', 'content_filtered'],
  [400, 'The model `qwen-9` does not exist', undefined, 'model_not_found'],
  [400, 'x is not a valid model ID', undefined, 'model_not_found'],
  [400, 'Incorrect API key provided: x***.', undefined, 'auth_failed'],
  [400, 'Missing Authorization header', undefined, 'auth_failed'],
  [429, 'Your team has either used all available credits or reached its limit.', undefined, 'permission_refused'],
  [412, 'Account is suspended, possibly due to reaching the monthly limit.', undefined, 'permission_refused'],
  [400, 'You have reached your specified API usage limits.', undefined, 'permission_refused'],
  [400, 'max_tokens is too large: 32000. This model supports at most 16384.', undefined, 'invalid_request'],
  [400, 'image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes', undefined, 'invalid_request'],
  [400, 'temperature must be a number', undefined, 'invalid_request'],
  [
    400,
    'max_tokens is too large: 100000. The model supports at most 16384 completion tokens.',
    undefined,
    'invalid_request',
  ],
  [400, 'temperature exceeds the maximum of 2', undefined, 'invalid_request'],
  [400, "Invalid 'tools[0].function.name': string too long. Expected at most 64.", undefined, 'invalid_request'],
  [400, "Invalid 'messages[3].tool_calls[0].id': string too long.", undefined, 'invalid_request'],
  [400, 'Your request exceeded the daily token limit of your account', undefined, 'invalid_request'],
])('%i %s (%s) is %s', ([status, message, code, expected]) => {
  verifies('F63');
  expect(codeOf(status, message, code)).toBe(expected);
});

test('the answer that OpenRouter wraps is quoted and classified', () => {
  const raw = JSON.stringify({
    error: { type: 'invalid_request_error', message: 'prompt is too long: 9 > 8 maximum' },
  });
  const error = { message: 'Provider returned error', code: 400, metadata: { raw, provider_name: 'Anthropic' } };
  expect(toStreamError({ error })).toMatchObject({
    code: 'context_overflow',
    message: expect.stringContaining('Provider returned error (Anthropic: prompt is too long: 9 > 8 maximum)'),
  });
});

test('an error in a stream is classified by its status or text', () => {
  expect(toStreamError({ error: { message: 'no', code: 401 } }).code).toBe('auth_failed');
  expect(toStreamError({ error: { message: 'no', code: 'rate_limit_exceeded' } }).code).toBe('rate_limited');
  expect(toStreamError({ error: { message: 'model x not found' } }).code).toBe('model_not_found');
  expect(toStreamError({ error: 'something broke' })).toMatchObject({
    code: 'provider_error',
    message: expect.stringContaining('something broke'),
  });
});

test.for<[string, object, string, RegExp]>([
  ['a filtered answer', { error: { code: 'content_filter', message: 'x' } }, 'content_filtered', /x/],
  ['MiniMax', { base_resp: { status_code: 1004, status_msg: 'login fail' } }, 'provider_error', /login fail/],
  ['the parameter apart', { error: { message: 'Bad', param: 'top_p', code: 400 } }, 'invalid_request', /top_p/],
])('in a stream: %s', ([, payload, code, message]) => {
  const error = toStreamError(payload);
  expect(error.code).toBe(code);
  expect(error.message).toMatch(message);
});
