import { expect, test } from 'vitest';
import { plainText } from '../lines/styled-line.js';
import { lineWidth } from '../lines/text-width.js';
import type { LiveCall } from '../state/terminal-state.js';
import { callRows, wantedCallRows } from './call-rows.js';

const call = (part: Partial<LiveCall> = {}): LiveCall => ({
  callId: 'c',
  name: 'run_shell_command',
  input: { command: 'npm test' },
  phase: 'running',
  output: '',
  startedAt: 0,
  innerCalls: 0,
  parentToolUseId: null,
  ...part,
});

const rows = (calls: readonly LiveCall[], limit = 10, columns = 30) =>
  callRows(calls, { columns, rows: limit, nowMs: 65_000, folder: '/work' }).map(plainText);

test('shows a running call with its duration and last output', () => {
  const output = 'a\nb\n\u001b[32mc\u001b[0m\nd\u001b[2J\n';
  expect(rows([call({ output })])).toEqual(['● Run npm test 1 min 5 s', '    b', '    c', '    d']);
  expect(rows([call({ phase: 'asking' })])).toEqual(['? Run npm test']);
  const read = call({ phase: 'pending', name: 'read_file', input: { file_path: '/work/a.ts' } });
  expect(rows([read])).toEqual(['○ Read a.ts']);
});

test('keeps the duration visible in long rows', () => {
  const long = call({ input: { command: 'npm run a-very-long-name-of-a-script' }, output: 'x'.repeat(99) });
  expect(rows([long])).toEqual(['● Run npm run a-ver… 1 min 5 s', `    ${'x'.repeat(25)}…`]);
  for (const line of callRows([long], { columns: 30, rows: 9, nowMs: 65_000, folder: '/work' }))
    expect(lineWidth(line)).toBeLessThanOrEqual(30);
});

test('nests calls of a subagent without output and keeps the newest rows', () => {
  const calls = [call({ name: 'task', input: {}, innerCalls: 2 }), call({ parentToolUseId: 'c', output: 'hidden' })];
  expect(rows(calls)).toEqual(['● Agent 1 min 5 s · 2 calls', '  ● Run npm test 1 min 5 s']);
  expect(rows(calls, 1)).toEqual(['  ● Run npm test 1 min 5 s']);
  expect(wantedCallRows(calls)).toBe(2);
});

test('shows each call under its subagent, and what the model of a subagent does', () => {
  const agent = (callId: string) => call({ callId, name: 'task', input: { subagent_type: callId } });
  const inner = (callId: string, parentToolUseId: string) =>
    call({ callId, parentToolUseId, input: { command: callId } });
  const calls = [agent('a'), { ...agent('b'), activity: 'thinking' as const }, inner('x', 'b'), inner('y', 'a')];
  expect(rows(calls, 10, 60)).toEqual([
    '● Agent a 1 min 5 s',
    '  ● Run y 1 min 5 s',
    '● Agent b 1 min 5 s · thinking',
    '  ● Run x 1 min 5 s',
  ]);
});
