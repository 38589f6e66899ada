import type { AgentEvent, ToolDisplay, ToolPreview } from '@qwen/agent';
import {
  ended,
  notice,
  PROMPT,
  pending,
  printed,
  SESSION,
  SUCCESS,
  started,
  turn,
  turnEnd,
} from '@qwen/host/test/agent-events.js';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { annotationsOf, tell } from '../../../test/event-lists.js';

const asking = (preview: ToolPreview, parent: string | null = null): AgentEvent => ({
  type: 'tool_asking',
  callId: 'c',
  name: 'edit',
  input: {},
  reason: 'It changes a file.',
  suggestions: [],
  preview,
  parentToolUseId: parent,
});

const displays = (events: readonly AgentEvent[], format: 'message' | 'chunk' = 'message') =>
  annotationsOf(tell(events, { format })).filter(({ type }) => type === 'x-qwen-tool-display');

const resultOf = (display: ToolDisplay) => displays([ended('c', 'edit', { display })])[0]?.['result_display'];

test.each(['message', 'chunk'] as const)('a call passes through its states, in the format of a %s', (format) => {
  verifies('S-17', 'D-19', 'D-20', 'D-21', 'D-29', 'D-30', 'D-31', 'D-32', 'CF-15', 'CF-16', 'CF-62', 'GAP-19');
  const info = { type: 'info', prompt: 'Look?', urls: ['https://a.example'] } as const;
  const events = [pending('c', 'edit'), asking(info), started('c', 'edit'), printed('c', 'live'), ended('c', 'edit')];
  const shown = displays(turn(SUCCESS, ...events), format);
  const call = { tool_call_id: 'c', session_id: SESSION, prompt_id: PROMPT, tool_name: 'edit' };
  expect(shown).toMatchObject([
    { ...call, status: 'pending', pending: true, confirmation: null, timestamp: 1_739_430_000_000 },
    { ...call, status: 'confirming', pending: false, confirmation: { type: 'info', title: 'It changes a file.' } },
    { ...call, status: 'executing', pending: false, confirmation: null },
    { ...call, status: 'executing', result_display: { kind: 'string', text: 'live', append: true, log_scope: 'tool' } },
    {
      ...call,
      status: 'success',
      pending: false,
      confirmation: null,
      result_display: { kind: 'string', text: 'done' },
    },
  ]);
});

test('the time of a state is in milliseconds', () => {
  verifies('CF-16', 'D-31');
  const shown = annotationsOf(tell([pending('c', 'edit')], { now: () => 1_739_430_000_123 }));
  expect(shown).toMatchObject([{ status: 'pending', timestamp: 1_739_430_000_123 }]);
});

test('the display contains the input if no message did: changed input, calls of subagents', () => {
  verifies('GAP-05');
  const input = { town: 'Ulm' };
  const call = (parentToolUseId: string | null, startsWith: unknown): AgentEvent[] => [
    { type: 'tool_pending', callId: 'c', name: 'weather', input, kind: 'read', parentToolUseId },
    { type: 'tool_start', callId: 'c', name: 'weather', input: startsWith, parentToolUseId },
  ];
  const told = (...how: Parameters<typeof call>) => displays(call(...how)).map((shown) => shown['arguments']);
  expect(told(null, input)).toEqual([undefined, undefined]);
  expect(told(null, { town: 'Bonn' })).toEqual([undefined, '{"town":"Bonn"}']);
  expect(told('task', input)).toEqual([undefined, '{"town":"Ulm"}']);
});

test('the outcome of a call is its last state; a call that never ran changes from pending to its outcome', () => {
  verifies('D-21', 'D-32', 'CF-70');
  for (const status of ['error', 'canceled'] as const) {
    const shown = displays([pending('c', 'edit'), ended('c', 'edit', { status, content: 'No.' })]);
    expect(shown).toMatchObject([
      { tool_call_id: 'c', status: 'pending' },
      { tool_call_id: 'c', status, result_display: { kind: 'string', text: 'No.' } },
    ]);
  }
});

test('a confirmation contains what the user must see, by kind', () => {
  verifies('D-29', 'GAP-22');
  const confirmationOf = (preview: ToolPreview) => displays([asking(preview)])[0]?.['confirmation'];
  const title = 'It changes a file.';
  const file = { path: '/work/src/main.py', diff: '@@ -1 +1 @@', original: 'a', modified: 'b' };
  expect(confirmationOf({ type: 'edit', ...file })).toEqual({
    type: 'edit',
    title,
    file_name: 'main.py',
    file_path: '/work/src/main.py',
    file_diff: '@@ -1 +1 @@',
    original_content: 'a',
    new_content: 'b',
  });
  expect(confirmationOf({ type: 'edit', ...file, path: 'C:\\work\\main.py' })).toMatchObject({ file_name: 'main.py' });
  expect(confirmationOf({ type: 'exec', command: 'git push | tee log', rootCommand: 'git, tee' })).toEqual({
    type: 'exec',
    title,
    command: 'git push | tee log',
    root_command: 'git, tee',
  });
  expect(confirmationOf({ type: 'mcp', server: 'files', tool: 'read', displayName: 'Read a file' })).toEqual({
    type: 'mcp',
    title,
    server_name: 'files',
    tool_name: 'read',
    tool_display_name: 'Read a file',
  });
  expect(confirmationOf({ type: 'info', prompt: 'p', urls: ['u'] })).toEqual({
    type: 'info',
    title,
    prompt: 'p',
    urls: ['u'],
  });
  expect(confirmationOf({ type: 'plan', plan: '# Plan' })).toEqual({ type: 'plan', title, plan: '# Plan' });
});

test('an edit shows the changes of the agent and of the user', () => {
  verifies('D-22', 'D-24', 'D-25');
  const stat = { aiAdded: 3, aiRemoved: 2, userAdded: 1, userRemoved: 0 };
  const change = { kind: 'diff', path: '/work/a.py', diff: '--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n', stat } as const;
  expect(resultOf({ ...change, original: 'x\n', modified: 'y\n' })).toEqual({
    kind: 'file_diff',
    file_name: 'a.py',
    diff: change.diff,
    original: 'x\n',
    modified: 'y\n',
    stat: { ai_added_lines: 3, ai_removed_lines: 2, user_added_lines: 1, user_removed_lines: 0 },
  });
  expect(resultOf(change)).toMatchObject({ original: null, modified: null });
  expect(resultOf({ ...change, path: '/works/a.py' })).toMatchObject({ file_name: '/works/a.py' });
});

test('texts, lists, plans', () => {
  verifies('D-22', 'D-23', 'D-26', 'D-27', 'D-33', 'L-09', 'GAP-21');
  expect(resultOf({ kind: 'text', text: '3 files' })).toEqual({ kind: 'string', text: '3 files', log_scope: 'tool' });
  const todos = [
    { id: '1', content: 'look', status: 'completed' },
    { id: '2', content: 'mend', status: 'in_progress' },
    { id: '3', content: 'test', status: 'pending' },
  ] as const;
  expect(resultOf({ kind: 'todos', todos })).toEqual({ kind: 'todo_list', todos });
  expect(resultOf({ kind: 'plan', message: 'Approved.', plan: '# Plan' })).toEqual({
    kind: 'plan_summary',
    message: 'Approved.',
    plan_markdown: '# Plan',
  });
});

test('a running subagent shows its activity, with the parent call', () => {
  verifies('D-28', 'GAP-104');
  const task = { subagent_type: 'searcher', description: 'look around', prompt: 'Find it.' };
  const shown = displays([
    pending('t', 'task', task),
    started('t', 'task', task),
    pending('in-1', 'grep', {}, 't'),
    started('in-1', 'grep', {}, 't'),
    ended('in-1', 'grep', { parent: 't' }),
    ended('t', 'task', {
      display: {
        kind: 'task',
        agent: 'searcher',
        prompt: 'Find it.',
        status: 'failed',
        toolCalls: [
          { callId: 'in-1', name: 'grep', status: 'success' },
          { callId: 'in-2', name: 'read_file' },
        ],
        result: 'Not found.',
        reason: 'max_turns',
      },
    }),
  ]);
  const running = (status: string) => ({
    tool_call_id: 't',
    status: 'executing',
    result_display: {
      kind: 'task_execution',
      subagentName: 'searcher',
      taskDescription: 'look around',
      taskPrompt: 'Find it.',
      status: 'running',
      toolCalls: [{ callId: 'in-1', name: 'grep', status }],
    },
  });
  const inner = { tool_call_id: 'in-1', parent_tool_call_id: 't' };
  expect(shown).toMatchObject([
    { tool_call_id: 't', status: 'pending' },
    { tool_call_id: 't', status: 'executing' },
    { ...inner, status: 'pending' },
    running('pending'),
    { ...inner, status: 'executing' },
    running('executing'),
    { ...inner, status: 'success', content: 'done' },
    running('success'),
    {
      tool_call_id: 't',
      status: 'success',
      result_display: {
        kind: 'task_execution',
        subagentName: 'searcher',
        taskPrompt: 'Find it.',
        status: 'failed',
        toolCalls: [
          { callId: 'in-1', name: 'grep', status: 'success' },
          { callId: 'in-2', name: 'read_file', status: 'canceled' },
        ],
        result: 'Not found.',
        terminateReason: 'max_turns',
      },
    },
  ]);
});

test("a subagent's question is shown with the parent call until it is answered", () => {
  verifies('GAP-104');
  const question = asking({ type: 'plan', plan: '# Plan' }, 't');
  const shown = displays([
    pending('t', 'task'),
    pending('c', 'edit', {}, 't'),
    question,
    started('c', 'edit', {}, 't'),
  ]);
  const questions = shown
    .filter(({ tool_call_id: id }) => id === 't')
    .map(({ result_display: result }) => Object(result).pendingConfirmation?.type);
  expect(questions).toEqual([undefined, undefined, 'plan', undefined]);
});

test('tool output keeps its colours but no other control sequence, even a truncated one', () => {
  verifies('D-12', 'S25');
  const outputs = ['\u001b[3', '1mred\u001b[0m\r', '\nnext\u001b[2J', '\u001b]0;title\u0007!'];
  const shown = displays([started('c', 'run'), ...outputs.map((output) => printed('c', output))]);
  const results = shown.slice(1).map(({ result_display: result }) => result);
  expect(results).toEqual([
    {
      kind: 'string',
      append: true,
      text: 'red',
      ansi: [
        { offset: 0, sequence: '\u001b[31m' },
        { offset: 3, sequence: '\u001b[0m' },
      ],
      log_scope: 'tool',
    },
    { kind: 'string', append: true, text: '\nnext', log_scope: 'tool' },
    { kind: 'string', append: true, text: '!', log_scope: 'tool' },
  ]);
});

test('a long result is shown in part, and the model receives all of it', () => {
  const content = `${'x'.repeat(16_383)}😀${'y'.repeat(1000)}`;
  const [shown] = displays([ended('c', 'read_file', { content })], 'chunk');
  expect(shown).toMatchObject({ content, result_display: { text: `${'x'.repeat(16_383)}\n… (1002 more characters)` } });
});

test('a turn leaves no call open', () => {
  const shown = displays([pending('t', 'task'), turnEnd(SUCCESS), pending('in-1', 'grep', {}, 't'), notice('n')]);
  expect(shown.map(({ tool_call_id: id }) => id)).toEqual(['t', 'in-1']);
});
