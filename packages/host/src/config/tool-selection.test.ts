import { expect, test } from 'vitest';
import { absentCoreTools, checkToolNames, limitsOfCoreTools, selectTools } from './tool-selection.js';

const ALL = [
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
  'todo_write',
  'ask_user_question',
  'exit_plan_mode',
  'task',
];

test('all tools by default', () => {
  expect(selectTools({})).toEqual(ALL);
  expect(selectTools({ coreTools: ['default'] })).toEqual(ALL);
  expect(selectTools({ coreTools: [] })).toEqual([]);
});

test('returns only the core tools, in the order of the table, under any of their names', () => {
  expect(selectTools({ coreTools: ['Bash', 'READ', 'edit', 'search_file_content'] })).toEqual([
    'read_file',
    'edit',
    'grep_search',
    'run_shell_command',
  ]);
});

test.each([
  ['edit_file', 'edit'],
  ['MultiEdit', 'edit'],
  ['ReadFileTool', 'read_file'],
  ['list_dir', 'list_directory'],
  ['LS', 'list_directory'],
  ['replace', 'edit'],
  ['GrepTool', 'grep_search'],
])('%s is %s, offered or excluded', (alias, name) => {
  expect(selectTools({ coreTools: [alias] })).toEqual([name]);
  expect(selectTools({ excludeTools: [alias] })).toEqual(ALL.filter((other) => other !== name));
});

test('tools for background commands need the shell tool', () => {
  const others = ALL.filter((name) => !['run_shell_command', 'task_output', 'task_stop'].includes(name));
  expect(selectTools({ excludeTools: ['Bash'] })).toEqual(others);
});

test('omits excluded tools; a rule with brackets excludes no tool', () => {
  expect(selectTools({ coreTools: ['Bash', 'Read'], excludeTools: ['shell', 'Read(.env)', 'mcp__x__y'] })).toEqual([
    'read_file',
  ]);
});

test.each([
  ['Raed', '--core-tools: there is no built-in tool "Raed". Did you mean "Read"?'],
  ['far_away', '--core-tools: there is no built-in tool "far_away".'],
  ['Bsh(git *)', '--core-tools: there is no built-in tool "Bsh". Did you mean "Bash"?'],
])('a core tool %s is refused', (name, message) => {
  expect(() => selectTools({ coreTools: [name] })).toThrow(
    expect.objectContaining({ code: 'usage', message: expect.stringContaining(message) }),
  );
});

test('core tools that only other agents have are left out', () => {
  const coreTools = ['Read', 'WebSearch', 'NotebookEdit', 'ListMcpResourcesTool', 'save_memory'];
  expect(selectTools({ coreTools })).toEqual(['read_file']);
  expect(absentCoreTools(coreTools)).toEqual(coreTools.slice(1));
  expect(absentCoreTools(coreTools, { hasWebSearch: true })).toEqual(coreTools.slice(2));
  expect(selectTools({ coreTools, hasWebSearch: true })).toEqual(['read_file', 'web_search']);
  expect(selectTools({ excludeTools: ['WebSearch'], hasWebSearch: true })).not.toContain('web_search');
});

test('a core tool with brackets is offered and limited, unless it is also listed without', () => {
  const coreTools = ['Read(docs/**)', 'Bash(git *)', 'shell(ls)', 'Edit(src/**)', 'edit', 'WebSearch(x)'];
  expect(selectTools({ coreTools })).toEqual(['read_file', 'edit', 'run_shell_command']);
  expect(limitsOfCoreTools(coreTools)).toEqual(['Read(docs/**)', 'Bash(git *)', 'shell(ls)', 'WebSearch(x)']);
});

test('a rule for a mistyped tool is refused; one for an external tool is not', () => {
  const check = (rule: string) => () => checkToolNames('exclude-tools', [rule]);
  expect(check('MultEdit')).toThrow('--exclude-tools: there is no built-in tool "MultEdit". Did you mean "MultiEdit"?');
  expect(check('Raed(.env)')).toThrow('Did you mean "Read"?');
  for (const rule of [
    'mcp__files__reed',
    'Read*',
    '*',
    'WebFetch',
    'WebSearch',
    'web_search',
    'ToolSearch',
    'lookup',
    'Bash(git *)',
  ]) {
    expect(check(rule)).not.toThrow();
  }
});
