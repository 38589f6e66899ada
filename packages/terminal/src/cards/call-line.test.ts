import { expect, test } from 'vitest';
import { plainText } from '../lines/styled-line.js';
import { toolCallLine } from './call-line.js';
import { callWords } from './call-words.js';

const line = (name: string, input: unknown, columns = 60) =>
  plainText(toolCallLine({ name, input, state: 'running' }, { columns, folder: '/work' }));

test.each([
  ['read_file', { file_path: '/work/src/a.ts' }, '● Read src/a.ts'],
  ['read_file', { file_path: '/workshop/a.ts' }, '● Read /workshop/a.ts'],
  ['read_many_files', { paths: ['/work/a', 'b/*.ts'] }, '● Read a, b/*.ts'],
  ['list_directory', { path: '/work' }, '● List .'],
  ['grep_search', { pattern: 'x+', glob: '*.ts' }, '● Search x+ in *.ts'],
  ['glob', { pattern: '**/*.md' }, '● Find **/*.md'],
  ['run_shell_command', { command: 'npm test\n&& ls' }, '● Run npm test && ls'],
  ['task', { subagent_type: 'scout', description: 'Look around' }, '● Agent scout: Look around'],
  ['ask_user_question', { questions: [{ question: 'Why?' }] }, '● Ask Why?'],
  ['todo_write', { todos: [] }, '● Todo list'],
  ['mcp__files__open', { name: 'x' }, '● files › open {"name":"x"}'],
  ['unheard_of', {}, '● unheard_of'],
])('%s says what is done, and to what', (name, input, words) => {
  expect(line(name, input)).toBe(words);
});

test('renders a call whose input is malformed', () => {
  for (const input of [undefined, null, 3, 'text', [], { file_path: 3 }, { questions: [null] }, { paths: [1] }]) {
    for (const name of ['read_file', 'ask_user_question', 'read_many_files', 'constructor']) line(name, input);
  }
  expect(line('read_file', { file_path: {} })).toBe('● Read');
});

test('truncates long lines and reads only the start of a huge input', () => {
  expect(line('run_shell_command', { command: 'echo a long command' }, 16)).toBe('● Run echo a lo…');
  expect(callWords('run_shell_command', { command: 'x'.repeat(1_000_000) }).argument).toHaveLength(1_000);
});

test('gives each state its own sign, or a word for screen readers', () => {
  const states = ['pending', 'asking', 'running', 'success', 'error', 'canceled'] as const;
  const call = { name: 'run_shell_command', input: { command: 'ls' } };
  const shown = (isScreenReader: boolean) =>
    states.map((state) => plainText(toolCallLine({ ...call, state }, { columns: 60, isScreenReader })));
  expect(shown(false)).toEqual(['○ Run ls', '? Run ls', '● Run ls', '✓ Run ls', '✗ Run ls', '– Run ls']);
  expect(shown(true)).toEqual([
    'Tool Run, waiting: ls',
    'Tool Run, asking: ls',
    'Tool Run, running: ls',
    'Tool Run, finished: ls',
    'Tool Run, failed: ls',
    'Tool Run, cancelled: ls',
  ]);
});
