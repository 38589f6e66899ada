import type { ChatEvent, PublicEventBody } from '@qwen/protocol/server';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { ChatProjection, toThought } from './chat-projection.js';

const place = { session_thread_id: 'thrd_1', turn_id: 'turn_1', parent_tool_use_id: null };
const message = { ...place, message_id: 'asst_1' };
const ofSubagent = { ...message, session_thread_id: 'thrd_2', parent_tool_use_id: 'call_task' };

function show(events: readonly PublicEventBody[], { hasIncrements = true } = {}): readonly ChatEvent[] {
  const projection = new ChatProjection({ turnId: 'turn_1', requestId: 'req_1', sessionId: 's', hasIncrements });
  return events.flatMap((event) => projection.accept(event, 7));
}

const delta = (at: typeof message | typeof ofSubagent, text: string): PublicEventBody => ({
  ...at,
  type: 'agent.content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text },
});
const whole: PublicEventBody = {
  ...message,
  type: 'agent.message',
  model: 'm',
  content: [
    { type: 'thinking', thinking: 'Why?' },
    { type: 'text', text: 'Because.' },
  ],
  stop_reason: 'end_turn',
};
const ended: PublicEventBody = {
  ...place,
  type: 'turn.ended',
  request_id: 'req_1',
  outcome: 'success',
  duration_ms: 1,
};

test('a session without increments shows complete answers, one with them does not repeat them', () => {
  verifies('Q-58', 'Q-60', 'CF-57');
  const types = (events: readonly ChatEvent[]) => events.map(({ type }) => type);
  expect(types(show([whole, ended], { hasIncrements: false }))).toEqual(['Thought', 'Content', 'stream_end']);
  expect(types(show([delta(message, 'Because.'), whole, ended]))).toEqual(['Content', 'stream_end']);
});

test('text of a subagent is hidden, and its permission questions are shown', () => {
  verifies('GAP-71');
  const asked: PublicEventBody = {
    ...ofSubagent,
    type: 'approval.requested',
    approval_id: 'appr_1',
    request_id: 'req_1',
    tool_use_id: 'call_2',
    tool_name: 'run_shell_command',
    input: { command: 'ls' },
    expires_at: 9,
  };
  expect(show([delta(ofSubagent, 'mine'), asked])).toEqual([
    {
      type: 'ToolCallConfirmation',
      value: { callId: 'call_2', name: 'run_shell_command', args: { command: 'ls' }, expiresAt: 9 },
      timestamp: 7,
    },
  ]);
});

test('events of other turns are hidden, and nothing follows the last event', () => {
  verifies('S74');
  const other = { ...delta(message, 'other'), turn_id: 'turn_2' };
  expect(show([other, ended, delta(message, 'late')])).toEqual([
    { type: 'stream_end', requestId: 'req_1', sessionId: 's', timestamp: 7 },
  ]);
});

test('an interrupted turn is an error', () => {
  verifies('Q-62', 'F119');
  const cut: PublicEventBody = { ...place, type: 'turn.interrupted', request_id: 'req_1', reason: 'server_crash' };
  expect(show([delta(message, 'Half'), cut])).toEqual([
    { type: 'Content', value: 'Half', timestamp: 7 },
    { type: 'error', error: 'Interrupted', message: expect.any(String), code: 'interrupted', timestamp: 7 },
  ]);
});

test.each([
  ['**Looking around**\nThe file will tell.', { subject: 'Looking around', description: 'The file will tell.' }],
  ['**All** of it matters.\nSo does **this**.', { subject: 'All', description: 'of it matters.\nSo does **this**.' }],
  ['No heading **here**.', { subject: '', description: 'No heading **here**.' }],
  ['', { subject: '', description: '' }],
])('the thought %j', (thinking, thought) => {
  verifies('GAP-70');
  expect(toThought(thinking)).toEqual(thought);
});
