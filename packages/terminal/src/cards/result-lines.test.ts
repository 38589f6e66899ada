import type { ToolDisplay, ToolOutcome } from '@qwen/agent';
import { expect, test } from 'vitest';
import { plainText, type StyledLine } from '../lines/styled-line.js';
import { resultLines, toolCard } from './result-lines.js';

const outcome = (part: Partial<ToolOutcome>): ToolOutcome => ({
  callId: 'c',
  name: 'run_shell_command',
  uuid: 'u',
  content: '',
  isError: false,
  status: 'success',
  ...part,
});

const words = (lines: readonly StyledLine[]) => lines.map(plainText);
const card = (part: Partial<ToolOutcome>, input: unknown = {}) =>
  words(toolCard({ input, outcome: outcome(part) }, { columns: 40, maxLines: 4 }));
const shown = (display: ToolDisplay, isScreenReader = false) =>
  words(resultLines(outcome({ display }), { columns: 40, maxLines: 4, isScreenReader }));

const CHANGE: ToolDisplay = {
  kind: 'diff',
  path: '/work/a',
  diff: '@@ -1 +1 @@\n-old\n+new\n',
  stat: { aiAdded: 1, aiRemoved: 1, userAdded: 0, userRemoved: 2 },
};

test('shows a call with its result', () => {
  expect(card({ display: { kind: 'text', text: 'a\nb' } }, { command: 'ls' })).toEqual(['✓ Run ls', '  a', '  b']);
  expect(card({ display: { kind: 'text', text: '' } }, { command: 'true' })).toEqual(['✓ Run true']);
});

test('counts what a tool read instead of showing it', () => {
  expect(card({ name: 'read_file', content: 'a\nb\n' }, { file_path: '/x' })).toEqual(['✓ Read /x', '  2 lines']);
  expect(
    resultLines(outcome({ name: 'read_file', content: 'a\nb\n' }), { columns: 40, maxLines: Infinity }),
  ).toHaveLength(2);
});

test('shows why a call failed or was stopped', () => {
  const failed = outcome({ status: 'error', isError: true, content: 'no \u001b[32msuch\u001b[0m file' });
  expect(resultLines(failed, { columns: 40, maxLines: 4 })).toEqual([
    [
      { text: 'no ', token: 'AccentRed' },
      { text: 'such', token: 'AccentGreen' },
      { text: ' file', token: 'AccentRed' },
    ],
  ]);
  expect(card({ status: 'canceled', isError: true, content: 'The person said no.' }, { command: 'rm x' })).toEqual([
    '– Run rm x',
    '  The person said no.',
  ]);
});

test.each([
  ['The user declined.', 'You declined.'],
  ['The user declined. They said: use pnpm', 'You declined: use pnpm'],
  ['A rule denies it.', 'A rule denies it.'],
])('shows the denial %j as %j', (reason, shownReason) => {
  const denial = { tool_name: 'edit', tool_use_id: 'c', tool_input: {}, reason };
  const denied = outcome({ status: 'canceled', isError: true, content: `[For the model] ${reason}`, denial });
  expect(words(resultLines(denied, { columns: 40, maxLines: 4 }))).toEqual([shownReason]);
});

test('breaks the message of a failed call between words', () => {
  const failed = outcome({ status: 'error', isError: true, content: 'old_string was not found in a.txt.' });
  expect(words(resultLines(failed, { columns: 22, maxLines: 4 }))).toEqual(['old_string was not', 'found in a.txt.']);
});

test("shows the size of an edit, the user's changes to it, and its lines", () => {
  expect(shown(CHANGE)).toEqual(['+1 −1 (+0 −2 by you)', '1 - old', '1 + new']);
});

test('shows to-do states without color', () => {
  const todos: ToolDisplay = {
    kind: 'todos',
    todos: [
      { id: '1', content: 'look', status: 'completed' },
      { id: '2', content: 'mend a thing that has a very long name', status: 'in_progress' },
      { id: '3', content: 'test', status: 'pending' },
    ],
  };
  expect(shown(todos)).toEqual(['[x] look', '[~] mend a thing that has a very long', '    name', '[ ] test']);
  expect(shown(todos, true)).toEqual([
    '1. done: look',
    '2. doing now: mend a thing that has a',
    'very long name',
    '3. open: test',
  ]);
});

test('renders a plan and folds a long one', () => {
  const plan = '# Plan\n- a\n- b\n- c\n- d';
  expect(shown({ kind: 'plan', message: 'Approved.', plan })).toEqual([
    'Approved.',
    'Plan',
    '• a',
    '• b',
    '… 2 more lines (Ctrl-O shows all)',
  ]);
});

test('shows the state, the calls and the report of a subagent', () => {
  const call = { callId: 'c', name: 'read_file', status: 'success' } as const;
  const run: ToolDisplay = {
    kind: 'task',
    agent: 'scout',
    prompt: 'p',
    status: 'completed',
    toolCalls: [call, call, { callId: 'd', name: 'run_shell_command', status: 'error' }],
    result: 'Found **it**.',
  };
  expect(shown(run)).toEqual(['scout is done · 3 calls: 2 Read, 1 Run ·', '1 failed', 'Found it.']);
  expect(shown({ ...run, status: 'failed', reason: 'Time is over.', toolCalls: [] })).toEqual([
    'scout failed: Time is over.',
    'Found it.',
  ]);
});

test('describes results in words for screen readers', () => {
  const options = { columns: 60, maxLines: 4, isScreenReader: true };
  expect(
    words(toolCard({ input: { file_path: '/a' }, outcome: outcome({ name: 'edit', display: CHANGE }) }, options)),
  ).toEqual([
    'Tool Edit, finished: /a',
    'Lines: 1 added, 1 removed; by you: 0 added, 2 removed',
    '1 removed: old',
    '1 added: new',
  ]);
});
