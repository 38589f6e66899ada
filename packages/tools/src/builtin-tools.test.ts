import { BUILTIN_TOOL_NAMES, TOOL_TABLE, toolAliases } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { builtinTools, type SkillSource } from './index.js';

const skills: SkillSource = { names: ['release'], open: async () => ({ text: '', path: '' }) };
const declarations = () =>
  JSON.stringify(builtinTools().map(({ name, description, inputSchema }) => ({ name, description, inputSchema })));

const webSearch = { provider: 'searxng', url: 'https://search.example' } as const;

test('the tools match the table, in its order', () => {
  expect(BUILTIN_TOOL_NAMES).toEqual([
    'read_file',
    'read_many_files',
    'write_file',
    'edit',
    'list_directory',
    'glob',
    'grep_search',
    'run_shell_command',
    'task_output',
    'task_stop',
    'web_fetch',
    'web_search',
    'todo_write',
    'ask_user_question',
    'exit_plan_mode',
    'task',
    'skill',
  ]);
  const entries = builtinTools({ answersQuestions: true, skills, webSearch }).map(({ name, aliases, kind }) => ({
    name,
    aliases,
    kind,
  }));
  expect(entries).toEqual(
    Object.values(TOOL_TABLE).map(({ name, kind }) => ({ name, aliases: toolAliases(name), kind })),
  );
});

test('each tool has the kind that the permission table expects', () => {
  verifies('GAP-02');
  const kinds = Object.fromEntries(builtinTools().map(({ name, kind }) => [name, kind]));
  expect(kinds).toEqual({
    read_file: 'read',
    read_many_files: 'read',
    write_file: 'edit',
    edit: 'edit',
    list_directory: 'read',
    glob: 'read',
    grep_search: 'read',
    run_shell_command: 'execute',
    task_output: 'read',
    task_stop: 'read',
    web_fetch: 'network',
    todo_write: 'read',
    exit_plan_mode: 'read',
    task: 'read',
  });
});

test('all declarations together stay within 7 kB and never change', () => {
  expect(Buffer.byteLength(declarations())).toBeLessThanOrEqual(7000);
  expect(declarations()).toBe(declarations());
});
