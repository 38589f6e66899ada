import type { SDKMessage } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { mergeDeltas } from './merge-deltas.js';

type Piece = Extract<SDKMessage, { type: 'stream_event' }>;

const piece = (delta: object, members: object = {}, index = 0): SDKMessage =>
  ({
    type: 'stream_event',
    uuid: 'u',
    session_id: 's',
    message_id: 'm',
    event: { type: 'content_block_delta', index, delta },
    ...members,
  }) as Piece;

const text = (value: string) => ({ type: 'text_delta', text: value });
const result: SDKMessage = {
  type: 'result',
  subtype: 'success',
  uuid: 'r',
  session_id: 's',
  is_error: false,
  result: '',
  duration_ms: 1,
  duration_api_ms: 1,
  num_turns: 1,
  usage: { input_tokens: 1, output_tokens: 1 },
  permission_denials: [],
};

test.each([
  ['text', text('ab'), text('cd'), text('abcd')],
  [
    'thinking',
    { type: 'thinking_delta', thinking: 'a' },
    { type: 'thinking_delta', thinking: 'b' },
    { type: 'thinking_delta', thinking: 'ab' },
  ],
  [
    'arguments',
    { type: 'input_json_delta', partial_json: '{' },
    { type: 'input_json_delta', partial_json: '}' },
    { type: 'input_json_delta', partial_json: '{}' },
  ],
])('adjacent deltas of %s join into an equivalent one', (_name, first, second, joined) => {
  verifies('FB16');
  expect(mergeDeltas(piece(first), piece(second))).toEqual(piece(joined));
});

test.each([
  ['another block', piece(text('b'), {}, 1)],
  ['another message', piece(text('b'), { message_id: 'n' })],
  ['another agent', piece(text('b'), { parent_tool_use_id: 'call' })],
  ['another session', piece(text('b'), { session_id: 't' })],
  ['another kind', piece({ type: 'thinking_delta', thinking: 'b' })],
  ['a signature', piece({ type: 'signature_delta', signature: 'b' })],
  ['the end of the block', piece({}, { event: { type: 'content_block_stop', index: 0 } })],
  ['a whole message', result],
])('pieces of %s stay apart', (_name, second) => {
  verifies('FB16');
  expect(mergeDeltas(piece(text('a')), second)).toBeUndefined();
  expect(mergeDeltas(second, piece(text('a')))).toBeUndefined();
});
