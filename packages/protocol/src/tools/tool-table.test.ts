import { describe, expect, test } from 'vitest';
import {
  BUILTIN_TOOL_NAMES,
  canonicalToolName,
  FILE_READING_TOOLS,
  findBuiltinTool,
  guardNames,
  TOOL_TABLE,
  TOOL_VOCABULARIES,
  type ToolEntry,
  toolAliases,
  toolNameIn,
} from './tool-table.js';

test.each([
  ['read_file', ['read_file', 'ReadFile', 'ReadFileTool', 'Read', 'READ']],
  ['read_many_files', ['ReadManyFiles', 'ReadManyFilesTool', 'read_files']],
  ['write_file', ['Write', 'WriteFile', 'WriteFileTool']],
  ['edit', ['Edit', 'EditTool', 'edit_file', 'EditFile', 'MultiEdit', 'multi_edit', 'replace']],
  ['list_directory', ['LS', 'LSTool', 'ls', 'list_dir', 'ListFiles', 'ReadFolder', 'ListDirectory']],
  ['glob', ['Glob', 'GlobTool', 'FindFiles']],
  ['grep_search', ['Grep', 'GrepTool', 'RipGrepTool', 'SearchText', 'search_file_content', 'SearchFiles']],
  ['run_shell_command', ['Bash', 'BashTool', 'Shell', 'ShellTool', 'shell', 'RunShellCommand']],
  ['todo_write', ['TodoWrite', 'TodoWriteTool', 'TodoList', 'write_todos', 'todo']],
  ['ask_user_question', ['AskUserQuestion', 'ask_user']],
  ['exit_plan_mode', ['ExitPlanMode', 'ExitPlanModeTool']],
  ['task', ['Task', 'TaskTool', 'Agent']],
])('%s answers to %j', (name, others) => {
  expect(others.map(findBuiltinTool)).toEqual(others.map(() => name));
});

test('names of other tools are unchanged', () => {
  expect(['mcp__edit', 'tool', 'Raed', '', 'lookup_tool'].map(findBuiltinTool)).toEqual(Array(5).fill(undefined));
  expect(canonicalToolName('mcp__files__Edit')).toBe('mcp__files__Edit');
});

test('a pattern for a complete name is tested against every spelling', () => {
  expect(toolAliases('edit')).toEqual(
    expect.arrayContaining(['Edit', 'EditTool', 'edit_file', 'MultiEdit', 'multi_edit', 'replace']),
  );
  expect(toolAliases('list_directory')).toEqual(expect.arrayContaining(['LS', 'ls', 'list_dir', 'ReadFolder']));
  expect(toolAliases('run_shell_command')).toEqual(expect.arrayContaining(['Bash', 'bash', 'ShellTool']));
});

test('no name or alias is ambiguous', () => {
  const owners = BUILTIN_TOOL_NAMES.flatMap((name) => [name, ...toolAliases(name)].map((alias) => [alias, name]));
  expect(owners.map(([alias = '']) => findBuiltinTool(alias))).toEqual(owners.map(([, name]) => name));
});

test('lists the tools that only read files', () => {
  expect(FILE_READING_TOOLS).toEqual(['read_file', 'read_many_files', 'list_directory', 'glob', 'grep_search']);
});

describe('guards of another program cover every tool', () => {
  const GUARDS = { edit: ['Write', 'Edit'], execute: ['Bash'], network: ['WebFetch', 'WebSearch'], other: [] } as const;

  test.each(BUILTIN_TOOL_NAMES)('%s has the name of a tool with the same effect', (name) => {
    const { kind, claudeName }: ToolEntry = TOOL_TABLE[name];
    if (kind !== 'read') expect(GUARDS[kind]).toContain(claudeName);
    if (FILE_READING_TOOLS.includes(name)) expect(['Read', 'Grep', 'Glob', 'LS']).toContain(claudeName);
    expect(toolNameIn('claude', name)).toBe(claudeName);
    expect(toolNameIn('qwen', claudeName)).toBe(findBuiltinTool(claudeName));
    expect(guardNames('claude', name)[0]).toBe(claudeName);
    expect(guardNames('qwen', name)[0]).toBe(name);
    expect(guardNames('qwen', name)).toContain(claudeName);
  });

  test('external tools have one name', () => {
    expect(TOOL_VOCABULARIES.map((vocabulary) => toolNameIn(vocabulary, 'mcp__a__b'))).toEqual([
      'mcp__a__b',
      'mcp__a__b',
    ]);
    expect(guardNames('claude', 'mcp__a__b')).toEqual([]);
  });
});
