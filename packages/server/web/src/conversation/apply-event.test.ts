import { type PublicEvent, publicEventSchema, toEventId } from '@qwen/protocol/server';
import { verifies } from '@qwen/testkit';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyEvent } from './apply-event.js';
import {
  type Conversation,
  EMPTY_CONVERSATION,
  openApprovals,
  toCallKey,
  totalUsage,
  waitingMessages,
} from './conversation.js';

const PLACE = { session_thread_id: 'thrd_1', turn_id: 'turn_1', parent_tool_use_id: null };

/** The conversation after events that are given without their envelope. */
function after(...bodies: readonly Record<string, unknown>[]): Conversation {
  return toEvents(bodies).reduce(applyEvent, EMPTY_CONVERSATION);
}

function toEvents(bodies: readonly Record<string, unknown>[]): PublicEvent[] {
  return bodies.map((body, index) => {
    const seq = index + 1;
    return publicEventSchema.parse({ seq, id: toEventId(seq), session_id: 's', created_at: seq, ...PLACE, ...body });
  });
}

test('the state of the sandbox is that of its last event', () => {
  const sandbox = (state: string) => ({ type: 'session.sandbox', sandbox: state });
  expect(after().sandbox).toBe('off');
  expect(after(sandbox('read-only'), sandbox('unavailable')).sandbox).toBe('unavailable');
});

const said = { type: 'user.message', request_id: 'req_1', content: [{ type: 'text', text: 'hello' }] };
const started = { type: 'turn.started', request_id: 'req_1' };
const ended = (outcome: string, more = {}) => ({
  type: 'turn.ended',
  request_id: 'req_1',
  outcome,
  duration_ms: 1,
  ...more,
});
const whole = (content: readonly unknown[]) => ({
  type: 'agent.message',
  message_id: 'asst_1',
  model: 'm',
  content,
  stop_reason: 'end_turn',
});
const question = {
  type: 'approval.requested',
  approval_id: 'appr_1',
  request_id: 'req_1',
  tool_use_id: 'call_1',
  tool_name: 'write_file',
  input: { file_path: 'a' },
  expires_at: 9,
};

type Piece = { readonly type: 'text' | 'thinking' | 'tool_use'; readonly fragments: readonly string[] };

/** What a model sends of its blocks, fragment by fragment. */
function increments(pieces: readonly Piece[]): Record<string, unknown>[] {
  const message_id = 'asst_1';
  const usage = { input_tokens: 0, output_tokens: 0 };
  const message = { id: message_id, type: 'message', role: 'assistant', model: 'm', content: [], usage };
  return [
    { type: 'agent.message_start', message_id, message: { ...message, stop_reason: null, stop_sequence: null } },
    ...pieces.flatMap(({ type, fragments }, index) => [
      { type: 'agent.content_block_start', message_id, index, content_block: EMPTY_BLOCKS[type] },
      ...fragments.map((fragment) => ({
        type: 'agent.content_block_delta',
        message_id,
        index,
        delta: deltaOf(type, fragment),
      })),
      { type: 'agent.content_block_stop', message_id, index },
    ]),
    { type: 'agent.message_stop', message_id },
  ];
}

const EMPTY_BLOCKS = {
  text: { type: 'text', text: '' },
  thinking: { type: 'thinking', thinking: '' },
  tool_use: { type: 'tool_use', id: 'call_1', name: 'write_file', input: {} },
};

function deltaOf(type: Piece['type'], fragment: string) {
  if (type === 'text') return { type: 'text_delta', text: fragment };
  if (type === 'thinking') return { type: 'thinking_delta', thinking: fragment };
  return { type: 'input_json_delta', partial_json: fragment };
}

const piece = fc.record({
  type: fc.constantFrom('text' as const, 'thinking' as const),
  fragments: fc.array(fc.string(), { maxLength: 5 }),
});

test('the fragments of an answer join to the complete answer', () => {
  verifies('R-41', 'GAP-93');
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 4 }), (pieces) => {
      const streamed = after(said, ...increments(pieces));
      const content = pieces.map(({ type, fragments }) => ({ type, [type]: fragments.join('') }));
      expect(streamed.entries).toEqual(
        after(said, whole(content)).entries.map((entry) => ({ ...entry, key: expect.anything() })),
      );
    }),
  );
});

test('the complete answer overrides its fragments', () => {
  verifies('R-40', 'GAP-94');
  const pieces = [{ type: 'text', fragments: ['wro', 'ng'] }] as const;
  const conversation = after(said, ...increments(pieces), whole([{ type: 'text', text: 'right' }]));
  expect(conversation.entries.slice(1)).toMatchObject([
    { kind: 'answer', blocks: [{ type: 'text', text: 'right' }], isOpen: false },
  ]);
});

test('a broken answer keeps its text and leaves nothing open', () => {
  const pieces = [{ type: 'thinking', fragments: ['so'] }] as const;
  const broken = increments(pieces).slice(0, 3);
  const conversation = after(said, started, ...broken, {
    type: 'turn.interrupted',
    request_id: 'req_1',
    reason: 'the server ended',
  });
  expect(conversation.runningRequestId).toBeUndefined();
  expect(conversation.entries.slice(1)).toMatchObject([
    { kind: 'answer', isOpen: false, blocks: [{ type: 'thinking', thinking: 'so', isOpen: false }] },
    { kind: 'notice', level: 'warning', text: 'The turn was interrupted: the server ended' },
  ]);
});

test('a tool call shows its arriving input, its question and its result', () => {
  const pieces = [{ type: 'tool_use', fragments: ['{"file_', 'path":"a"}'] }] as const;
  const key = toCallKey('turn_1', 'call_1');
  const streamed = after(started, ...increments(pieces));
  expect(streamed.entries).toMatchObject([{ blocks: [{ name: 'write_file', inputText: '{"file_path":"a"}' }] }]);
  const asked = after(started, question);
  expect(openApprovals(asked)).toMatchObject([{ approvalId: 'appr_1', toolName: 'write_file' }]);
  const settled = {
    type: 'approval.settled',
    approval_id: 'appr_1',
    tool_use_id: 'call_1',
    behavior: 'allow',
    by: 'client',
  };
  const result = { type: 'agent.tool_result', tool_use_id: 'call_1', content: 'done', is_error: false };
  const done = after(started, question, settled, result);
  expect(openApprovals(done)).toEqual([]);
  expect(done.calls.get(key)).toMatchObject({
    result: { content: 'done' },
    approval: { verdict: { behavior: 'allow' } },
  });
});

test('a question of a finished turn cannot be answered', () => {
  verifies('GAP-71');
  expect(openApprovals(after(started, question, ended('cancelled')))).toEqual([]);
});

test('the same call id in two turns means two calls', () => {
  const result = (turn_id: string, content: string) => ({
    type: 'agent.tool_result',
    turn_id,
    tool_use_id: 'call_1',
    content,
    is_error: false,
  });
  const { calls } = after(result('turn_1', 'one'), result('turn_2', 'two'));
  expect(calls.get(toCallKey('turn_1', 'call_1'))?.result?.content).toBe('one');
  expect(calls.get(toCallKey('turn_2', 'call_1'))?.result?.content).toBe('two');
});

test('the end of a turn is shown unless it succeeded; an error is shown once', () => {
  const error = { message: 'no credit', code: 'rate_limited', retryable: true };
  const texts = (conversation: Conversation) =>
    conversation.entries.flatMap((e) => (e.kind === 'notice' ? [e.text] : []));
  expect(texts(after(started, ended('success')))).toEqual([]);
  expect(texts(after(started, ended('cancelled')))).toEqual(['Stopped.']);
  expect(texts(after(started, { type: 'session.error', error }, ended('error', { error })))).toEqual(['no credit']);
});

test('a queued message is marked as queued, and unknown events change nothing', () => {
  const second = { ...said, turn_id: 'turn_2', request_id: 'req_2' };
  const conversation = after(said, started, second, { type: 'agent.from_the_future', more: 1 });
  expect(conversation.runningRequestId).toBe('req_1');
  expect(conversation.queuedRequestIds).toEqual(['req_2']);
});

test('a waiting message moves to where the agent reads it, and is gone if it was taken back', () => {
  const message = (number: number, text: string) => ({
    type: 'user.message',
    turn_id: `turn_${number}`,
    request_id: `req_${number}`,
    content: [{ type: 'text', text }],
  });
  const end = (number: number, outcome: string) => ({
    ...ended(outcome),
    turn_id: `turn_${number}`,
    request_id: `req_${number}`,
  });
  const waiting = [said, started, message(2, 'steer'), message(3, 'wrong'), message(4, 'next')];
  const before = after(...waiting);
  expect(waitingMessages(before).map(({ text }) => text)).toEqual(['steer', 'wrong', 'next']);
  const conversation = after(
    ...waiting,
    end(3, 'cancelled'),
    whole([{ type: 'text', text: 'Working.' }]),
    { type: 'user.message_taken', turn_id: 'turn_2', request_id: 'req_2', taken_by_turn_id: 'turn_1' },
    ended('success', { usage: { input_tokens: 5, output_tokens: 2 }, cost_usd: 0.5 }),
    { type: 'turn.started', turn_id: 'turn_4', request_id: 'req_4' },
  );
  const shown = conversation.entries.map((entry) => (entry.kind === 'user' ? entry.text : entry.kind));
  expect(shown).toEqual(['hello', 'answer', 'steer', 'turn', 'next']);
  expect(waitingMessages(conversation)).toEqual([]);
  expect(totalUsage(conversation)).toEqual({ inputTokens: 5, outputTokens: 2, costUsd: 0.5 });
});

test('attached files are no part of the text', () => {
  const texts = ['look', '<attached-file name="a.md">\nline 1\nline 2\n</attached-file>'];
  const [entry] = after({ ...said, content: texts.map((text) => ({ type: 'text', text })) }).entries;
  expect(entry).toMatchObject({ text: 'look', files: [{ name: 'a.md', text: 'line 1\nline 2' }] });
});
