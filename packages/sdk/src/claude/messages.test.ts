import { expect, test } from 'vitest';
import type * as own from '../index.js';
import { createClaudeMessages } from './messages.js';

const IDS = { uuid: 'u', session_id: 's' };
const USAGE = { inputTokens: 5, outputTokens: 7, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 };
const message = (line: object) => ({ ...IDS, ...line }) as own.SDKMessage;
const answer = (reason: string, parent?: string) =>
  message({ type: 'assistant', message: { content: [], stop_reason: reason }, parent_tool_use_id: parent });

test('a result has the stop reason of the last answer of the main agent, and all numbers', () => {
  const toClaude = createClaudeMessages();
  for (const one of [answer('tool_use'), answer('end_turn'), answer('max_tokens', 'call_1')]) toClaude(one);
  const done = message({ type: 'result', subtype: 'success', result: 'Done.', modelUsage: { m: USAGE } });
  expect(toClaude(done)).toMatchObject({
    stop_reason: 'end_turn',
    terminal_reason: 'completed',
    total_cost_usd: Number.NaN,
    modelUsage: { m: { ...USAGE, costUSD: Number.NaN, webSearchRequests: 0, contextWindow: Number.NaN } },
  });
});

test('an interrupted turn is an error with its reason', () => {
  const ended = message({ type: 'result', subtype: 'interrupted', is_error: false, interrupt_reason: 'Too late.' });
  expect(createClaudeMessages()(ended)).toMatchObject({
    subtype: 'error_during_execution',
    is_error: true,
    errors: ['The turn was interrupted: Too late.'],
  });
});

test.each([
  ['success', 'success'],
  ['blocked', 'success'],
  ['error', 'error'],
  ['cancelled', 'cancelled'],
])('a hook that ended with %s is a hook_response with %s', (outcome, wanted) => {
  const data = { hook_event_name: 'PreToolUse', hook: 'guard', outcome, duration_ms: 3 };
  expect(createClaudeMessages()(message({ type: 'system', subtype: 'hook_event', data }))).toEqual({
    ...IDS,
    type: 'system',
    subtype: 'hook_response',
    hook_id: 'u',
    hook_name: 'guard',
    hook_event: 'PreToolUse',
    output: '',
    stdout: '',
    stderr: '',
    outcome: wanted,
  });
});

test('a notice is informational', () => {
  const data = { code: 'tools_not_offered', message: 'WebSearch does not exist here.' };
  expect(createClaudeMessages()(message({ type: 'system', subtype: 'notice', data }))).toEqual({
    ...IDS,
    type: 'system',
    subtype: 'informational',
    level: 'notice',
    content: data.message,
    tag: data.code,
  });
});

test.each([
  ['default', false, 'default'],
  ['default', true, 'dontAsk'],
  ['auto-edit', true, 'acceptEdits'],
])('the mode %s of init, with no one to ask: %s, is %s', (mode, isDontAsk, permissionMode) => {
  const init = { type: 'system', subtype: 'init', permission_mode: mode, mcp_servers: [], slash_commands: [] };
  expect(createClaudeMessages(() => isDontAsk)(message(init))).toMatchObject({ permissionMode });
});
