import { PastEntries } from '@qwen/host/sessions/past-entries.js';
import { FILES_HEADING, NO_USAGE, type SessionRecord } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { plainText } from '../lines/styled-line.js';
import { entryLines } from './load-conversation.js';
import { Transcript } from './transcript.js';

type AssistantRecord = Extract<SessionRecord, { type: 'assistant' }>;

const STAMP = { uuid: 'u', at: '2026-01-01T00:00:00.000Z' } as const;
const PICTURE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } } as const;

const said = (text: string): SessionRecord => ({ type: 'user', ...STAMP, content: text });
const answered = (...content: AssistantRecord['content']): SessionRecord => ({
  type: 'assistant',
  ...STAMP,
  model: 'm',
  content,
  stop_reason: 'end_turn',
  usage: NO_USAGE,
});
const words = (text: string) => ({ type: 'text', text }) as const;
const reads = (id: string) =>
  ({ type: 'tool_use', id, name: 'read_file', input: { file_path: '/work/a.ts' } }) as const;
const RESULT = { type: 'tool_result', ...STAMP, is_error: false } as const;
const gave = (id: string, content: string, isError = false): SessionRecord => ({
  type: 'tool_result',
  ...STAMP,
  tool_use_id: id,
  tool_name: 'read_file',
  content,
  is_error: isError,
});
const ended = (outcome: string): SessionRecord => ({ type: 'turn_end', at: STAMP.at, outcome, usage: NO_USAGE });

function gather(records: readonly SessionRecord[], most = 60) {
  const past = new PastEntries(most);
  for (const record of records) past.add(record);
  return past;
}

function shown(...records: readonly SessionRecord[]) {
  const transcript = new Transcript({ columns: () => 60, isScreenReader: false, folder: '/work' });
  const { entries } = gather(records);
  const lines = entries.flatMap((entry) => entryLines(entry, { transcript, columns: () => 60 }));
  return { lines: lines.map(plainText).filter((line) => line !== ''), unfolded: transcript.unfold().map(plainText) };
}

test('renders a stored conversation like the live one', () => {
  const { lines, unfolded } = shown(
    said('Look'),
    answered({ type: 'thinking', thinking: 'Where?' }, words('I **look**.'), reads('a'), reads('b')),
    gave('a', 'one\ntwo'),
    gave('b', 'no such file', true),
    answered(words('Two lines.')),
    ended('success'),
  );
  expect(lines).toEqual([
    '> Look',
    'Thought · Ctrl-O to show',
    'I look.',
    '✓ Read a.ts',
    '  2 lines',
    '✗ Read a.ts',
    '  no such file',
    'Two lines.',
  ]);
  expect(unfolded).toContain('  no such file');
});

test('counts images, shows results of user commands, and condenses notes and summaries', () => {
  const call = { tool_use_id: 'c', tool_name: 'run_shell_command', input: { command: 'ls' }, is_error: false };
  const { lines } = shown(
    { type: 'user', ...STAMP, content: [words('See'), PICTURE, PICTURE] },
    { type: 'client_call', ...STAMP, ...call, content: 'a.ts' },
    { type: 'note', ...STAMP, text: 'By the way:\nthe branch changed.' },
    { type: 'compaction', at: STAMP.at, trigger: 'auto', summary: 'A long summary' },
  );
  expect(lines).toEqual([
    '> See',
    '  [2 pictures]',
    '✓ Run ls',
    '  a.ts',
    'By the way: the branch changed.',
    'The conversation was compacted here.',
  ]);
});

test('restores plans and to-do lists from their stored input', () => {
  const todos = [{ id: '1', content: 'Look', status: 'completed' }];
  const { lines } = shown(
    answered(
      { type: 'tool_use', id: 'a', name: 'todo_write', input: { todos } },
      { type: 'tool_use', id: 'b', name: 'exit_plan_mode', input: { plan: '1. Look\n2. Change' } },
      { type: 'tool_use', id: 'c', name: 'todo_write', input: { todos: 'none' } },
    ),
    { ...RESULT, tool_use_id: 'a', tool_name: 'todo_write', content: 'One entry.' },
    { ...RESULT, tool_use_id: 'b', tool_name: 'exit_plan_mode', content: 'Carry it out.' },
    { ...RESULT, tool_use_id: 'c', tool_name: 'todo_write', content: 'No list.', is_error: true },
  );
  expect(lines.map((line) => line.trim())).toEqual([
    '✓ Todo list',
    '[x] Look',
    '✓ Plan',
    'The plan was approved.',
    '1. Look',
    '2. Change',
    '✗ Todo list',
    'No list.',
  ]);
});

test('shows references of a prompt without file contents', () => {
  const content = [words('Read @a.ts'), words(FILES_HEADING), words('a.ts:\n```\nsecret\n```'), PICTURE];
  expect(shown({ type: 'user', ...STAMP, content }).lines).toEqual(['> Read @a.ts']);
});

test('marks an interrupted turn and its unfinished call', () => {
  const { lines } = shown(said('Look'), answered(reads('a')), ended('interrupted'));
  expect(lines).toEqual(['> Look', '– Read a.ts', '  No result was recorded.', '! This turn was interrupted.']);
  expect(shown(said('Look'), answered(reads('a'))).lines).toContain('– Read a.ts');
});

test('omits subagent messages and cleared parts, and shows restored ones', () => {
  const inner = { parent_tool_use_id: 'task' };
  const { lines } = shown(
    said('Before'),
    { type: 'cleared', at: STAMP.at },
    said('After'),
    { type: 'user', ...STAMP, ...inner, content: 'to the subagent' },
    { type: 'tool_result', ...STAMP, ...inner, tool_use_id: 'x', tool_name: 'edit', content: 'x', is_error: false },
  );
  expect(lines).toEqual(['> After']);
  const restored: SessionRecord = {
    type: 'restored',
    at: STAMP.at,
    records: [{ type: 'user', ...STAMP, content: 'Older' }],
  };
  expect(shown(said('Before'), restored).lines).toEqual(['> Older']);
});

test('keeps the end of a long conversation and counts the rest', () => {
  verifies('F95');
  const past = gather(
    Array.from({ length: 1_000 }, (_, index) => said(`prompt ${index}`)),
    3,
  );
  expect(past.entries).toMatchObject([{ text: 'prompt 997' }, { text: 'prompt 998' }, { text: 'prompt 999' }]);
  expect(past.missing).toBe(997);
});

test('escapes control characters of stored text', () => {
  verifies('S25');
  const evil = '\u001b[2J\u009b5n';
  const { lines } = shown(
    said(evil),
    answered({ type: 'thinking', thinking: evil }, words(evil), reads('a')),
    gave('a', evil),
    { type: 'note', ...STAMP, text: evil },
  );
  expect(lines.join('\n')).not.toMatch(/[\u001b\u009b]/);
});

test('a rewind keeps what was before its message, and shows the restored records if that is no longer known', () => {
  const asks = (uuid: string): SessionRecord => ({ type: 'user', ...STAMP, uuid, content: uuid });
  const rewound: SessionRecord = {
    type: 'restored',
    at: STAMP.at,
    records: [{ type: 'user', ...STAMP, content: 'restored' }],
    rewound_to: 'second',
  };
  const note = (text: string): SessionRecord => ({ type: 'note', ...STAMP, text });
  const records = [asks('first'), note('aside'), asks('second'), answered(words('gone')), rewound, asks('third')];
  expect(gather(records).entries).toMatchObject([{ text: 'first' }, { text: 'aside' }, { text: 'third' }]);
  expect(gather(records, 1).entries).toMatchObject([{ text: 'third' }]);
  expect(gather(records.slice(0, 5), 1).entries).toMatchObject([{ text: 'restored' }]);
});
