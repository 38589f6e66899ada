import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { todoTool } from './conversation/todo-tool.js';
import { editTool } from './files/edit-tool.js';
import { FileLedger } from './files/file-ledger.js';
import { readTool } from './files/read-tool.js';
import { writeTool } from './files/write-tool.js';
import { shellTool } from './shell/shell-tool.js';

const shell = shellTool({ environment: {}, keepEnvironment: [] });
const read = readTool(new FileLedger());

test.each(['file_path', 'absolute_path', 'path'])('the path may be called %s', (name) => {
  expect(read.parse({ [name]: 'a.txt' })).toEqual({ file_path: 'a.txt' });
});

test('the documented name of a member takes precedence', () => {
  expect(read.parse({ path: 'b', file_path: 'a' })).toEqual({ file_path: 'a' });
});

test('another name counts if the documented one is empty', () => {
  expect(shell.parse({ command: 'ls', directory: '', cwd: 'sub' })).toEqual({ command: 'ls', directory: 'sub' });
  expect(read.parse({ path: 'b', file_path: null })).toEqual({ file_path: 'b' });
});

test('unknown members are ignored', () => {
  expect(read.parse({ file_path: 'a', mode: 'fast' })).toEqual({ file_path: 'a' });
});

test.each([
  [{ dry_run: true }, 'dry_run'],
  [{ dryRun: 'yes' }, 'dryRun'],
  [{ execute: false }, 'execute'],
  [{ only_if_approved: true }, 'only_if_approved'],
  [{ host: 'staging' }, 'host'],
  [{ env: { CI: '1' } }, 'env'],
])('a command with %j does not run', (more, member) => {
  expect(() => shell.parse({ command: 'rm -r build', ...more })).toThrow(`"${member}" is unknown`);
});

test.each([
  { dry_run: false },
  { dryRun: null },
  { execute: true },
  { env: {} },
  { explanation: 'cleans up' },
  { requires_approval: true },
  { security_risk: 'LOW' },
])('a command with %j runs', (more) => {
  expect(shell.parse({ command: 'ls', ...more })).toMatchObject({ command: 'ls' });
});

test('a file is not written against a member of the call', () => {
  const write = writeTool(new FileLedger());
  const call = { file_path: 'a', content: 'x' };
  for (const more of [{ overwrite: false }, { dry_run: true }, { if_not_exists: true }]) {
    expect(() => write.parse({ ...call, ...more })).toThrow('ignoring it would change');
  }
  expect(write.parse({ ...call, overwrite: true })).toEqual(call);
  expect(read.parse({ file_path: 'a', dry_run: true })).toEqual({ file_path: 'a' });
});

test.each([
  { start_line: 2, end_line: 2 },
  { range: [2, 2] },
  { line_range: '2-2' },
  { insert_line: 2 },
  { insert_line: 0 },
  { offset: 3 },
  { insert_at_end: true },
  { position: 'end' },
  { mode: 'prepend' },
  { command: 'str_replace' },
  { old_string: 'b' },
])('the text of a part does not replace the file: %j', (more) => {
  const write = writeTool(new FileLedger());
  expect(() => write.parse({ file_path: 'a', content: 'B\n', ...more })).toThrow('Omit it to do so, or use edit');
});

test.each([
  { mode: 'w' },
  { mode: 'overwrite' },
  { command: 'create' },
  { line_count: 1 },
  { offset: 0 },
  { old_string: '' },
  { insert_at_end: false },
  { position: null },
])('a whole file is written with %j', (more) => {
  expect(writeTool(new FileLedger()).parse({ file_path: 'a', content: 'B\n', ...more })).toMatchObject({
    content: 'B\n',
  });
});

const change = { old_string: 'b', new_string: 'X' };

test.each([
  [{ position: 'after' }, 'replaces old_string'],
  [{ mode: 'insert_before' }, 'replaces old_string'],
  [{ type: 'insert_after' }, 'replaces old_string'],
  [{ command: 'insert' }, 'replaces old_string'],
  [{ insert: 'before' }, 'replaces old_string'],
  [{ insert_after: true }, 'replaces old_string'],
  [{ where: 'above' }, 'replaces old_string'],
  [{ whole_word: true, replace_all: true }, 'literally'],
  [{ regex: true }, 'literally'],
  [{ use_regex: 'true' }, 'literally'],
  [{ ignore_case: true, replace_all: true }, 'same case'],
  [{ case_sensitive: false, expected_replacements: 2 }, 'same case'],
])('an edit with %j is refused, alone and in a list', (more, reason) => {
  const edit = editTool(new FileLedger());
  expect(() => edit.parse({ file_path: 'a', ...change, ...more })).toThrow(reason);
  expect(() => edit.parse({ file_path: 'a', edits: [change, { ...change, ...more }] })).toThrow(reason);
});

test.each([
  { mode: 'replace' },
  { type: 'edit' },
  { command: 'str_replace' },
  { position: 'replace' },
  { insert: false },
  { regex: false },
  { whole_word: 'false' },
  { ignore_case: true },
  { case_sensitive: true, replace_all: true },
  { start_line: 2 },
])('an edit with %j is made', (more) => {
  const edit = editTool(new FileLedger());
  expect(edit.parse({ file_path: 'a', ...change, ...more })).toMatchObject(change);
  const edits = [{ ...change, ...more }];
  expect(edit.parse({ file_path: 'a', edits })).toMatchObject({ edits: [change] });
});

test.each([
  [{}, '"file_path"', 'is required (string)'],
  [{ file_path: ['a', 'b'] }, '"file_path"', 'string'],
  [{ file_path: 'a', limit: 'ten' }, '"limit"', 'number'],
  [{ file_path: 'a', limit: 0 }, '"limit"', 'at least 1'],
  [null, '"file_path"', 'is required'],
  [[1], 'the input', 'object'],
])('%j is refused by the name of the member', (input, member, reason) => {
  verifies('T25');
  const parse = () => read.parse(input);
  expect(parse).toThrow(expect.objectContaining({ code: 'invalid_tool_input' }));
  expect(parse).toThrow(member);
  expect(parse).toThrow(reason);
});

test('a nested member is reported with its path', () => {
  const input = { todos: [{ id: '1', content: 'x', status: 'later' }] };
  expect(() => todoTool().parse(input)).toThrow(/"todos\.0\.status".*pending, in_progress, completed/);
});

test('an invalid input is an AgentError', () => {
  expect.assertions(1);
  try {
    read.parse({});
  } catch (error) {
    expect(AgentError.is(error)).toBe(true);
  }
});

test('the schema is created once and allows other members', () => {
  const tool = editTool(new FileLedger());
  expect(tool.inputSchema).toBe(tool.inputSchema);
  expect(tool.inputSchema).toMatchObject({ type: 'object', required: ['file_path'] });
  expect(tool.inputSchema).not.toHaveProperty('additionalProperties');
  expect(tool.inputSchema).not.toHaveProperty('$schema');
});
