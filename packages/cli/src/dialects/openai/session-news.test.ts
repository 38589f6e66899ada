import type { AgentEvent, InterruptSource, TurnOutcome } from '@qwen/agent';
import { notice, PROMPT, SESSION, turn } from '@qwen/host/test/agent-events.js';
import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { annotationsOf, tell } from '../../../test/event-lists.js';

const eventsOf = (events: readonly AgentEvent[], format: 'message' | 'chunk' = 'message') =>
  tell(events, { format }).filter((line) => 'event' in line);

const endOf = (outcome: TurnOutcome) => eventsOf(turn(outcome));

test.each(['message', 'chunk'] as const)('a cancelled turn is a separate line, in the format of a %s', (format) => {
  verifies('D-36', 'D-40', 'D-42', 'CF-18', 'CF-19');
  const outcome = { type: 'interrupted', by: 'user', reason: 'Interrupted.' } as const;
  const lines = tell(turn(outcome), { format });
  expect(lines.filter((line) => 'event' in line)).toEqual([
    {
      type: 'x-qwen-session-event',
      event: 'USER_CANCELLED',
      message: 'User cancelled the request.',
      session_id: SESSION,
      prompt_id: PROMPT,
      log_scope: 'system',
    },
  ]);
  expect(annotationsOf(lines).filter(({ type }) => type === 'x-qwen-session-event')).toEqual([]);
});

test('every way to stop a prompt is a cancel, except a hook', () => {
  const cut = (by: InterruptSource) => endOf({ type: 'interrupted', by, reason: 'r' }).length;
  expect((['user', 'permission', 'shutdown', 'hook'] as const).map(cut)).toEqual([1, 1, 1, 0]);
});

test('compression reports both token counts; that of a subagent is not reported for the session', () => {
  verifies('D-37', 'D-39', 'D-41', 'S-18');
  const compacted = { type: 'compacted', trigger: 'auto', tokensBefore: 12_000, tokensAfter: 8_000 } as const;
  expect(eventsOf([{ ...compacted, parentToolUseId: null }])).toMatchObject([
    {
      event: 'ChatCompressed',
      message: 'The conversation was compacted: 12000 tokens before, 8000 after.',
      metrics: { original_tokens: 12_000, compressed_tokens: 8_000 },
    },
  ]);
  expect(eventsOf([{ ...compacted, parentToolUseId: 'task' }])).toEqual([]);
});

test('limits', () => {
  verifies('D-37', 'D-38', 'D-41', 'S-18');
  expect(endOf({ type: 'max_turns', limit: 3 })).toMatchObject([
    { event: 'MaxSessionTurns', message: 'Stopped after 3 model calls.' },
  ]);
  expect(endOf({ type: 'budget', limit: 'turns' })).toMatchObject([{ event: 'MaxSessionTurns' }]);
  for (const limit of ['tokens', 'sessionTokens'] as const) {
    expect(endOf({ type: 'budget', limit })).toMatchObject([{ event: 'SessionTokenLimitExceeded' }]);
  }
  const error = new AgentError('context_overflow', 'Too long.');
  expect(endOf({ type: 'error', error })).toMatchObject([{ event: 'SessionTokenLimitExceeded', message: 'Too long.' }]);
  expect(endOf({ type: 'budget', limit: 'wallMs' })).toMatchObject([{ event: 'Error' }]);
});

test('retries, loops and failures', () => {
  verifies('GAP-103');
  const error = new AgentError('provider_error', 'The provider failed.');
  expect(eventsOf([{ type: 'retry', attempt: 2, delayMs: 1500.4, error, parentToolUseId: null }])).toMatchObject([
    { event: 'Retry', message: 'The provider failed.', metrics: { attempt: 2, delay_ms: 1500 } },
  ]);
  expect(eventsOf([notice('The same call again and again.', 'loop_detected')])).toMatchObject([
    { event: 'LoopDetected', message: 'The same call again and again.' },
  ]);
  expect(endOf({ type: 'error', error })).toMatchObject([{ event: 'Error', message: 'The provider failed.' }]);
  expect(eventsOf([notice('news')])).toEqual([]);
});
