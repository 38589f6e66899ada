import type { AgentEvent, TurnOutcome } from '@qwen/agent';
import { AgentError, NO_USAGE, readFrame, type SDKMessage } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { createAgentMessages } from './agent-messages.js';

const SESSION = '6b0d34d6-5c1f-4a52-8b0f-6b1c1f6c0a11';
const USAGE = { input_tokens: 12, output_tokens: 3, cache_read_input_tokens: 8, total_tokens: 15 };

const FACTS = {
  cwd: '/workspace',
  model: 'qwen3',
  permissionMode: 'default',
  sandbox: 'off',
  tools: ['read_file', 'mcp__app__add'],
  mcpServers: [{ name: 'app', status: 'connected' }],
  slashCommands: [],
  agents: [],
  skills: [],
  plugins: [],
  version: '1.2.3',
};

/** The lines of a run of events; ids are `id-1`, `id-2` … in the order in which they were needed. */
function play(events: readonly AgentEvent[], includePartialMessages = false): readonly SDKMessage[] {
  let count = 0;
  const toLines = createAgentMessages({
    sessionId: SESSION,
    includePartialMessages,
    newId: () => {
      count += 1;
      return `id-${count}`;
    },
    facts: () => FACTS,
  });
  const lines = events.flatMap((event) => toLines(event));
  // Every line is one that our own reader takes.
  for (const line of lines) expect(readFrame(JSON.stringify(line))).toMatchObject({ kind: 'message' });
  return lines;
}

const turnEnd = (outcome: TurnOutcome, more: Partial<Extract<AgentEvent, { type: 'turn_end' }>> = {}): AgentEvent => ({
  type: 'turn_end',
  turnId: 'prompt',
  outcome,
  durationMs: 20.4,
  durationApiMs: 10.5,
  modelCalls: 2,
  usage: USAGE,
  permissionDenials: [],
  ...more,
});

const MESSAGE = { messageId: 'm-1', parentToolUseId: null } as const;
const TOOL_USE = { type: 'tool_use', id: 'call_1', name: 'read_file', input: { file_path: 'a.txt' } } as const;

/** A whole answer: thinking, text, a tool call. */
const ANSWER: readonly AgentEvent[] = [
  { type: 'message_start', model: 'qwen3', ...MESSAGE },
  { type: 'block_start', index: 0, block: { type: 'thinking', thinking: '' }, ...MESSAGE },
  { type: 'block_delta', index: 0, kind: 'thinking', text: 'Hm.', ...MESSAGE },
  { type: 'block_delta', index: 0, kind: 'signature', text: 'sig', ...MESSAGE },
  { type: 'block_end', index: 0, block: { type: 'thinking', thinking: 'Hm.' }, ...MESSAGE },
  { type: 'block_start', index: 1, block: { type: 'text', text: '' }, ...MESSAGE },
  { type: 'block_delta', index: 1, kind: 'text', text: 'I look.', ...MESSAGE },
  { type: 'block_end', index: 1, block: { type: 'text', text: 'I look.' }, ...MESSAGE },
  { type: 'block_start', index: 2, block: { ...TOOL_USE, input: {} }, ...MESSAGE },
  { type: 'block_delta', index: 2, kind: 'input_json', text: '{"file_path":"a.txt"}', ...MESSAGE },
  { type: 'block_end', index: 2, block: TOOL_USE, ...MESSAGE },
  {
    type: 'message_end',
    model: 'qwen3',
    content: [{ type: 'thinking', thinking: 'Hm.' }, { type: 'text', text: 'I look.' }, TOOL_USE],
    stopReason: 'tool_use',
    usage: USAGE,
    ...MESSAGE,
  },
];

const TOOL: readonly AgentEvent[] = [
  { type: 'tool_start', callId: 'call_1', name: 'read_file', input: { file_path: 'a.txt' }, parentToolUseId: null },
  { type: 'tool_delta', callId: 'call_1', text: 'live', parentToolUseId: null },
  {
    type: 'tool_end',
    outcome: {
      callId: 'call_1',
      name: 'read_file',
      uuid: 'r',
      content: 'text of a',
      isError: false,
      status: 'success',
    },
    parentToolUseId: null,
  },
];

const TURN: readonly AgentEvent[] = [
  { type: 'turn_start', turnId: 'prompt' },
  ...ANSWER,
  ...TOOL,
  turnEnd({ type: 'success', text: 'Done.' }),
];

test('converts a turn with a tool, without partial messages', () => {
  verifies('P-01', 'P-02', 'P-03', 'P-06', 'P-07', 'P-08', 'P-10', 'P-11', 'FB16');
  expect(play(TURN)).toEqual([
    {
      type: 'system',
      subtype: 'init',
      uuid: SESSION,
      session_id: SESSION,
      cwd: '/workspace',
      tools: ['read_file', 'mcp__app__add'],
      mcp_servers: [{ name: 'app', status: 'connected' }],
      model: 'qwen3',
      permission_mode: 'default',
      sandbox: 'off',
      slash_commands: [],
      agents: [],
      skills: [],
      qwen_code_version: '1.2.3',
      protocol_version: 1,
    },
    {
      type: 'assistant',
      uuid: 'm-1',
      session_id: SESSION,
      message: {
        id: 'm-1',
        type: 'message',
        role: 'assistant',
        model: 'qwen3',
        content: [{ type: 'thinking', thinking: 'Hm.', signature: '' }, { type: 'text', text: 'I look.' }, TOOL_USE],
        stop_reason: 'tool_use',
        usage: USAGE,
      },
      parent_tool_use_id: null,
    },
    {
      type: 'user',
      uuid: 'id-1',
      session_id: SESSION,
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'text of a', is_error: false }],
      },
      parent_tool_use_id: null,
    },
    {
      type: 'result',
      subtype: 'success',
      uuid: 'id-2',
      session_id: SESSION,
      is_error: false,
      duration_ms: 20,
      duration_api_ms: 11,
      num_turns: 2,
      result: 'Done.',
      usage: USAGE,
      permission_denials: [],
    },
  ]);
});

test('with partial messages, pieces arrive in order and the complete message before message_stop', () => {
  verifies('FB16', 'P-04', 'P-05');
  const lines = play(TURN, true);
  const short = lines.map((line) => {
    if (line.type !== 'stream_event') return line.type;
    expect(line).toMatchObject({ session_id: SESSION, message_id: 'm-1', parent_tool_use_id: null });
    const { event } = line;
    return 'delta' in event && 'type' in event.delta ? event.delta : event.type;
  });
  expect(short).toEqual([
    'system',
    'message_start',
    'content_block_start',
    { type: 'thinking_delta', thinking: 'Hm.' },
    { type: 'signature_delta', signature: 'sig' },
    'content_block_stop',
    'content_block_start',
    { type: 'text_delta', text: 'I look.' },
    'content_block_stop',
    'content_block_start',
    { type: 'input_json_delta', partial_json: '{"file_path":"a.txt"}' },
    'content_block_stop',
    'assistant',
    'message_delta',
    'message_stop',
    'user',
    'result',
  ]);
});

test('the answer of a subagent keeps its place in the tree', () => {
  const child = { parentToolUseId: 'task_1' };
  const events = [...ANSWER, ...TOOL].map((event) => ('parentToolUseId' in event ? { ...event, ...child } : event));
  const parents = play(events, true).map((line) => ('parent_tool_use_id' in line ? line.parent_tool_use_id : 'none'));
  expect(new Set(parents)).toEqual(new Set(['task_1']));
});

test('converts results of tools: text, images and failures', () => {
  verifies('P-07');
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } } as const;
  const [line] = play([
    {
      type: 'tool_end',
      outcome: {
        callId: 'c',
        name: 'x',
        uuid: 'u',
        content: [{ type: 'text', text: 'see' }, image],
        isError: true,
        status: 'error',
      },
      parentToolUseId: null,
    },
  ]);
  expect(line).toMatchObject({
    message: {
      content: [
        { type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: 'see' }, image], is_error: true },
      ],
    },
  });
});

const DENIAL = { tool_name: 'edit', tool_use_id: 'c', tool_input: {} };

test.each<[string, TurnOutcome, object]>([
  [
    'an interrupt is no error',
    { type: 'interrupted', by: 'user', reason: 'Interrupted by the user' },
    { subtype: 'interrupted', is_error: false, terminal_reason: 'user' },
  ],
  [
    'a hook gives its reason',
    { type: 'interrupted', by: 'hook', reason: 'Scripts go to scripts/.' },
    { subtype: 'interrupted', terminal_reason: 'hook', interrupt_reason: 'Scripts go to scripts/.' },
  ],
  [
    'the limit of model calls',
    { type: 'max_turns', limit: 7 },
    {
      subtype: 'error_max_turns',
      is_error: true,
      terminal_reason: 'max_turns',
      error: {
        message:
          'The turn reached its limit of 7 model calls. Raise it with --max-session-turns (SDK: maxSessionTurns); -1: no limit.',
        code: 'max_turns',
      },
    },
  ],
  [
    'the budget of the prompt',
    { type: 'budget', limit: 'toolCalls' },
    {
      subtype: 'error_budget',
      is_error: true,
      terminal_reason: 'toolCalls',
      error: { message: 'The limit of tool calls for this prompt was reached.', code: 'budget_exceeded' },
    },
  ],
  [
    'no output that fits its schema',
    { type: 'error', error: new AgentError('invalid_output', 'It does not fit.') },
    {
      subtype: 'error_output_schema',
      is_error: true,
      terminal_reason: 'invalid_output',
      error: { message: 'It does not fit.', code: 'invalid_output', type: 'AgentError' },
    },
  ],
  [
    'an error of our own',
    { type: 'error', error: new AgentError('storage_full', 'No space is left.') },
    {
      subtype: 'error_during_execution',
      is_error: true,
      terminal_reason: 'storage_full',
      error: { message: 'No space is left.', code: 'storage_full', type: 'AgentError' },
    },
  ],
])('%s', (_what, outcome, verdict) => {
  verifies('P-10', 'GAP-40', 'FB8');
  const lines = play([turnEnd(outcome, { permissionDenials: [DENIAL], usage: NO_USAGE })]);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ type: 'result', ...verdict, permission_denials: [DENIAL], usage: NO_USAGE });
  expect(lines[0]).not.toHaveProperty('result');
});

test('a provider failure is also text of the assistant', () => {
  const lines = play([turnEnd({ type: 'error', error: new AgentError('auth_failed', '401 no such key') })]);
  expect(lines).toMatchObject([
    { type: 'assistant', message: { content: [{ type: 'text', text: '[API Error: 401 no such key]' }] } },
    { type: 'result', subtype: 'error_during_execution', error: { code: 'auth_failed', message: '401 no such key' } },
  ]);
});

test('converts session events', () => {
  verifies('P-09', 'M-32', 'M-58', 'F58');
  const error = new AgentError('rate_limited', 'Too many requests.');
  expect(
    play([
      { type: 'model_changed', model: 'other' },
      { type: 'permission_mode_changed', mode: 'plan' },
      { type: 'notice', code: 'tail_repaired', message: 'The file was repaired.', parentToolUseId: null },
      { type: 'retry', attempt: 2, delayMs: 500, error, parentToolUseId: null },
      { type: 'compacted', trigger: 'auto', tokensBefore: 900, tokensAfter: 100, parentToolUseId: null },
      { type: 'history_changed', reason: 'cleared', messages: 0 },
    ]),
  ).toMatchObject([
    { type: 'system', subtype: 'model_changed', model: 'other', data: { model: 'other' } },
    { type: 'system', subtype: 'permission_mode_changed', permission_mode: 'plan', data: { mode: 'plan' } },
    { subtype: 'notice', data: { code: 'tail_repaired', message: 'The file was repaired.' } },
    { subtype: 'retry', data: { attempt: 2, delay_ms: 500, code: 'rate_limited', message: 'Too many requests.' } },
    {
      subtype: 'compact_boundary',
      data: { trigger: 'auto', pre_tokens: 900, post_tokens: 100, parent_tool_use_id: null },
      compact_metadata: { trigger: 'auto', pre_tokens: 900, post_tokens: 100 },
    },
    { subtype: 'history_changed', data: { reason: 'cleared', messages: 0 } },
  ]);
});

test('reports the remaining budget before each model call and in the result', () => {
  const [before, result] = play([
    { type: 'budget', remaining: { turns: 3 }, parentToolUseId: null },
    turnEnd({ type: 'success', text: '' }, { budgetRemaining: { turns: 2 } }),
  ]);
  expect(before).toMatchObject({ type: 'system', subtype: 'budget', data: { remaining: { turns: 3 } } });
  expect(result).toMatchObject({ type: 'result', budget_remaining: { turns: 2 } });
});

test('messages of a subagent name the call that started it', () => {
  const error = new AgentError('rate_limited', 'Too many requests.');
  const parentToolUseId = 'call_1';
  const lines = play([
    { type: 'retry', attempt: 1, delayMs: 500, error, parentToolUseId },
    { type: 'model_fallback', from: 'a', to: 'b', error, parentToolUseId },
    { type: 'budget', remaining: { turns: 3 }, parentToolUseId },
    { type: 'notice', code: 'stop_hook', message: 'More.', parentToolUseId },
  ]);
  expect(lines).toHaveLength(4);
  for (const line of lines) expect(line).toMatchObject({ data: { parent_tool_use_id: 'call_1' } });
});

test('a fallback model is reported with the reason', () => {
  const error = new AgentError('provider_error', 'It is down.');
  expect(play([{ type: 'model_fallback', from: 'a', to: 'b', error, parentToolUseId: null }])).toMatchObject([
    {
      type: 'system',
      subtype: 'model_fallback',
      data: { from: 'a', to: 'b', code: 'provider_error', message: 'It is down.' },
    },
  ]);
});

test('a valid output is the value and its JSON', () => {
  const [result] = play([turnEnd({ type: 'success', text: '{"n":1}', structured: { n: 1 } })]);
  expect(result).toMatchObject({ subtype: 'success', result: '{"n":1}', structured_output: { n: 1 } });
});
