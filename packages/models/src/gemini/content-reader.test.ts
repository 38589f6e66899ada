import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import type { ModelPart } from '../parts.js';
import { ContentReader } from './content-reader.js';

const read = (...payloads: readonly object[]): ModelPart[] => {
  const reader = new ContentReader();
  return [...payloads.flatMap((payload) => [...reader.read(JSON.stringify(payload))]), ...reader.end()];
};
const candidate = (parts: readonly object[], finishReason?: string) => ({
  candidates: [{ content: { parts }, finishReason }],
});

test('thoughts, text and calls keep their signatures', () => {
  expect(
    read(
      candidate([{ text: 'Hm.', thought: true }]),
      candidate([{ text: 'Hello', thoughtSignature: 'dGV4dA==' }]),
      candidate([{ functionCall: { name: 'f', args: { n: 1 } }, thoughtSignature: 'Y2FsbA==' }]),
      candidate([{ text: '', thoughtSignature: 'ZW5k' }], 'STOP'),
    ),
  ).toMatchObject([
    { type: 'thinking_delta', text: 'Hm.' },
    { type: 'text_delta', text: 'Hello' },
    { type: 'thinking_signature', signature: 'dGV4dA==' },
    { type: 'tool_call_start', id: expect.stringMatching(/^call_/), name: 'f' },
    { type: 'tool_call_delta', json: '{"n":1}' },
    { type: 'tool_call_end', input: { n: 1 }, signature: 'Y2FsbA==' },
    { type: 'thinking_signature', signature: 'ZW5k' },
    { type: 'finish', reason: 'tool_calls' },
  ]);
});

test.each([
  ['under its id', { id: 'a' }, {}, 1],
  ['in the last chunk', {}, { finishReason: 'STOP' }, 1],
  ['in another chunk without an id', {}, {}, 2],
])('a call that is there twice, the second time %s', (_, id, { finishReason }: { finishReason?: string }, count) => {
  const part = { functionCall: { name: 'f', args: { n: 1 }, ...id } };
  const parts = read(candidate([part]), candidate([part], finishReason), candidate([], 'STOP'));
  expect(parts.filter(({ type }) => type === 'tool_call_end')).toHaveLength(count);
});

test('usage is cumulative; thoughts are output, cached tokens input', () => {
  const usageMetadata = {
    promptTokenCount: 100,
    toolUsePromptTokenCount: 5,
    cachedContentTokenCount: 80,
    candidatesTokenCount: 10,
    thoughtsTokenCount: 7,
    totalTokenCount: 122,
  };
  expect(
    read({ usageMetadata: { promptTokenCount: 100 } }, { ...candidate([{ text: 'x' }], 'STOP'), usageMetadata }).at(-1),
  ).toMatchObject({
    usage: { input_tokens: 105, output_tokens: 17, cache_read_input_tokens: 80, total_tokens: 122 },
  });
});

test('a blocked prompt is content_filter', () => {
  verifies('F78');
  expect(read({ promptFeedback: { blockReason: 'OTHER' } })).toMatchObject([
    { type: 'finish', reason: 'content_filter' },
  ]);
});

test('MALFORMED_FUNCTION_CALL is kept as a raw reason', () => {
  verifies('F76');
  expect(read(candidate([], 'MALFORMED_FUNCTION_CALL'))).toMatchObject([
    { type: 'finish', reason: 'other', rawReason: 'MALFORMED_FUNCTION_CALL' },
  ]);
});

test('the first chunk sets id and model', () => {
  const reader = new ContentReader();
  reader.read(JSON.stringify({ ...candidate([]), responseId: 'answer-1', modelVersion: 'gemini-2.5-pro' }));
  expect(reader.head).toEqual({ responseId: 'answer-1', model: 'gemini-2.5-pro' });
});
