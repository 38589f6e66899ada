import { expect, expectTypeOf, test } from 'vitest';
import { TOOL_INPUT_SCHEMAS, type ToolInputOf, toolInputOf } from './tool-input.js';
import { BUILTIN_TOOL_NAMES } from './tool-table.js';

const todo = { id: '1', content: 'Test.', status: 'pending' };

test.each([
  ['run_shell_command', 'Bash', { command: 'ls' }, true],
  ['run_shell_command', 'run_shell_command', { command: 'ls', timeout: 5, is_background: undefined }, true],
  ['run_shell_command', 'Bash', { command: 'ls', timeout: 0.5 }, false],
  ['run_shell_command', 'Bash', { cmd: 'ls' }, false],
  ['run_shell_command', 'Read', { command: 'ls' }, false],
  ['run_shell_command', 'mcp__x__bash', { command: 'ls' }, false],
  ['run_shell_command', 'Bash', '{"command":"ls"}', false],
  ['run_shell_command', 'Bash', null, false],
  ['todo_write', 'TodoWrite', { todos: [todo] }, true],
  ['todo_write', 'TodoWrite', { todos: [{ ...todo, status: 'soon' }] }, false],
  ['todo_write', 'TodoWrite', { todos: todo }, false],
  ['edit', 'Edit', { file_path: 'a', edits: [{ old_string: 'a', new_string: 'b' }] }, true],
  ['edit', 'Edit', { file_path: 'a', toString: 1 }, true],
] as const)('input of %s in a call of %s: %j', (tool, name, input, isOne) => {
  expect(toolInputOf(tool, { name, input })).toBe(isOne ? input : undefined);
});

test('every tool with a fixed schema has a type', () => {
  expect(Object.keys(TOOL_INPUT_SCHEMAS)).toEqual(BUILTIN_TOOL_NAMES.filter((name) => name !== 'task'));
  expectTypeOf<ToolInputOf<'write_file'>>().toEqualTypeOf<{ file_path: string; content: string }>();
  expectTypeOf<ToolInputOf<'glob'>>().toEqualTypeOf<{ pattern: string; path?: string | undefined }>();
  expectTypeOf<ToolInputOf<'todo_write'>['todos'][number]['status']>().toEqualTypeOf<
    'pending' | 'in_progress' | 'completed'
  >();
  expectTypeOf(toolInputOf('read_file', { name: 'Read', input: {} })?.limit).toEqualTypeOf<number | undefined>();
});
