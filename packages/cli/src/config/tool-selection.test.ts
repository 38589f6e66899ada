import { expect, test } from 'vitest';
import { selectTools } from './tool-selection.js';

const ALL = [
  'read_file',
  'read_many_files',
  'write_file',
  'edit',
  'list_directory',
  'glob',
  'grep_search',
  'run_shell_command',
  'todo_write',
  'ask_user_question',
  'exit_plan_mode',
  'task',
];

test('all tools unless told otherwise', () => {
  expect(selectTools({})).toEqual(ALL);
  expect(selectTools({ coreTools: ['default'] })).toEqual(ALL);
  expect(selectTools({ coreTools: [] })).toEqual([]);
});

test('only the core tools, in the order of the catalogue, under the names of peers too', () => {
  expect(selectTools({ coreTools: ['Bash', 'READ', 'edit', 'search_file_content'] })).toEqual([
    'read_file',
    'edit',
    'grep_search',
    'run_shell_command',
  ]);
});

test('without those excluded as a whole; a rule with brackets excludes no tool', () => {
  expect(selectTools({ coreTools: ['Bash', 'Read'], excludeTools: ['shell', 'Read(.env)', 'mcp__x__y'] })).toEqual([
    'read_file',
  ]);
});

test.each([['Raed'], ['Bash(git *)']])('a core tool %s is refused', (name) => {
  expect(() => selectTools({ coreTools: [name] })).toThrow(expect.objectContaining({ code: 'usage' }));
});
