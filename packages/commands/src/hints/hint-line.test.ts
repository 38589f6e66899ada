import { readOutputLine, TYPED_REQUEST_SCHEMAS } from '@qwen/protocol/openai';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import type { HintAnswer } from './hint.js';
import { toHintLine, toHintQuery } from './hint-line.js';

const schema = TYPED_REQUEST_SCHEMAS.command_hint_request;
const request = {
  type: 'command_hint_request',
  session_id: 's',
  prompt_id: 'session-123########preview',
  trigger: 'at',
  text: '@src/co',
  cursor: 7,
  context: { cwd: '/workspace/demo', selected_text: '' },
};
const query = toHintQuery(schema.parse(request), '/w');

function lineOf(answer: HintAnswer): unknown {
  const line = toHintLine(answer, 's');
  expect(readOutputLine(JSON.stringify(line))).toMatchObject({ kind: 'hint' });
  return line;
}

test('a request becomes a query', () => {
  verifies('G-02', 'G-05');
  expect(query).toEqual({
    promptId: 'session-123########preview',
    trigger: 'at',
    text: '@src/co',
    cursor: 7,
    cwd: '/workspace/demo',
  });
});

test('missing members get defaults and the cursor is clamped', () => {
  const read = (more: object) =>
    toHintQuery(schema.parse({ type: request.type, trigger: 'slash', text: '/c', ...more }), '/w');
  expect(read({})).toEqual({ promptId: undefined, trigger: 'slash', text: '/c', cursor: 2, cwd: '/w' });
  expect(read({ cursor: 99, context: { cwd: '' } })).toMatchObject({ cursor: 2, cwd: '/w' });
  expect(read({ cursor: -1 })).toMatchObject({ cursor: 0 });
});

test('an answer becomes a line that echoes the query', () => {
  verifies('G-11', 'G-07', 'GAP-31', 'CF-28');
  const suggestions = [
    { label: 'a b', value: 'a\\ b' },
    { label: 'help', value: 'help', description: 'For help.', matchedIndex: 0 },
    { label: 'x', value: 'x', description: undefined },
  ];
  expect(lineOf({ query, status: 'ok', suggestions, isPerfectMatch: true })).toStrictEqual({
    type: 'result/command_hint',
    session_id: 's',
    prompt_id: 'session-123########preview',
    trigger: 'at',
    status: 'ok',
    suggestions: [suggestions[0], suggestions[1], { label: 'x', value: 'x' }],
    metadata: { is_perfect_match: true, text: '@src/co', cursor: 7 },
  });
});

test('loading and errors have no suggestions; errors have a message', () => {
  verifies('G-12', 'G-13', 'G-14');
  const metadata = { is_perfect_match: false };
  expect(lineOf({ query, status: 'loading' })).toMatchObject({ status: 'loading', suggestions: [], metadata });
  expect(lineOf({ query, status: 'error', message: 'no' })).toMatchObject({
    status: 'error',
    message: 'no',
    suggestions: [],
    metadata,
  });
});
