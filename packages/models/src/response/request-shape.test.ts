import { AgentError } from '@qwen/protocol';
import { expect, test } from 'vitest';
import type { ModelConfig } from '../config.js';
import { RequestShape } from './request-shape.js';

const CONFIG: ModelConfig = { family: 'openai-compatible' };
const refused = (message: string, status = 400) =>
  new AgentError('invalid_request', `The provider returned ${status}: ${message}`, { data: { status } });

/** The body after a refusal; undefined if it is final. */
function afterRefusal(error: AgentError, body: object): unknown {
  const shape = new RequestShape(CONFIG);
  const request = { method: 'POST', url: 'http://localhost', headers: {}, body: JSON.stringify(body) };
  shape.toBody(request);
  return shape.learn(error) ? JSON.parse(shape.toBody(request).body) : undefined;
}

test.each([
  "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  `[{"type":"extra_forbidden","loc":["body","max_tokens"],"msg":"Extra inputs are not permitted"}]`,
  'max_tokens: Extra inputs are not permitted (request 4711, 2026-11-28)',
])('a refused name of the limit keeps its value: %s', (message) => {
  for (const status of [400, 422]) {
    expect(afterRefusal(refused(message, status), { max_tokens: 32_000 })).toEqual({ max_completion_tokens: 32_000 });
  }
});

test.each([
  ['max_tokens (32000) exceeds limit for gpt-4o-2024: 8192', 8_192],
  ['max_tokens must be in [1, 16384], got 32000 (model gpt-oss-120b, code 20015)', 16_384],
  ['max_tokens must be in [1,16384], got 32000 (model context 131072)', 16_384],
  ['Range of max_tokens should be [1, 8192]', 8_192],
  ['Invalid max_tokens value, the valid range of max_tokens is [1, 8192] (request id: 20261128131400123)', 8_192],
  ['max_tokens is too large: 32000. This model supports at most 16384 completion tokens.', 16_384],
  ['max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens', 8_192],
  ['`max_tokens` must be less than or equal to `8192`, the maximum value for this model', 8_192],
  ['max_tokens 32,000 is more than the 8,192 token limit, maximum 8,192', 8_192],
  ['max_tokens must be between 1 and 4096', 4_096],
  ['max_tokens 不能超过 8192', 8_192],
  ['The value of max_tokens is over the 8192 limit', 8_192],
])('a limit that the refusal states is used: %s', (message, max_tokens) => {
  expect(afterRefusal(refused(message), { max_tokens: 32_000 })).toEqual({ max_tokens });
});

test('a number that is no limit is not used', () => {
  expect(afterRefusal(refused('max_tokens is wrong (code 20015)'), { max_tokens: 32_000 })).toBeUndefined();
});

test.each([
  "[{'type': 'string_type', 'loc': ('body', 'messages', 3, 'content'), 'msg': 'Input should be a valid string'}]",
  'messages[0].content: invalid type: sequence, expected a string',
  "Invalid type for 'messages[0].content': expected a string, but got an array instead.",
  'json: cannot unmarshal array into Go struct field Message.messages.content of type string',
])('an endpoint whose messages are texts gets no images: %s', (message) => {
  const withImages = (data: string | undefined) => {
    const shape = new RequestShape(CONFIG);
    const image = { type: 'image', mediaType: 'image/png', data: data ?? '' } as const;
    const content = [{ type: 'text', text: 'What is this?' } as const, ...(data === undefined ? [] : [image])];
    const request = { model: 'm', system: '', tools: [], messages: [{ role: 'user', content } as const] };
    shape.toRequest(request);
    return shape.learn(refused(message)) ? JSON.stringify(shape.toRequest(request)) : undefined;
  };
  expect(withImages('iVBORw0KGgo')).not.toContain('iVBORw0KGgo');
  expect(withImages('iVBORw0KGgo')).toContain('does not accept images');
  expect(withImages(undefined)).toBeUndefined();
});
