import type { AnyTool, ToolContext, ToolResult } from '@qwen/agent';
import { type BuiltinToolName, type ToolResultOf, toolResultOf } from '@qwen/protocol';
import { temporaryFolder } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { runTool } from '../test/run-tool.js';
import { builtinTools } from './index.js';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function workspace() {
  const folder = await temporaryFolder();
  const tools = new Map<string, AnyTool>(builtinTools({ answersQuestions: true }).map((tool) => [tool.name, tool]));
  const run = async <Name extends BuiltinToolName>(name: Name, input: unknown, context: Partial<ToolContext> = {}) => {
    const tool = tools.get(name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    const result: ToolResult = await runTool(tool, input, { cwd: folder.path, ...context });
    const structured: ToolResultOf<Name> | undefined = toolResultOf(name, { name, result: result.structured });
    if (structured === undefined) throw new Error(`not as its schema says: ${JSON.stringify(result)}`);
    return structured;
  };
  return { folder, run, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe('the result for programs', () => {
  test('of a read has the lines without numbers, and the number of lines if the end was read', async () => {
    await using fixture = await workspace();
    const filePath = fixture.folder.resolve('a.txt');
    await fixture.folder.write('a.txt', 'one\ntwo\nthree\n');
    expect(await fixture.run('read_file', { file_path: 'a.txt', offset: 2, limit: 1 })).toEqual({
      type: 'text',
      file: { filePath, content: 'two\n', numLines: 1, startLine: 2 },
    });
    expect(await fixture.run('read_file', { file_path: 'a.txt', offset: 2 })).toMatchObject({
      file: { content: 'two\nthree\n', totalLines: 3 },
    });
    expect(await fixture.run('read_file', { file_path: 'a.txt', offset: 9 })).toEqual({
      type: 'text',
      file: { filePath, content: '', numLines: 0, startLine: 9 },
    });
  });

  test('of an image has no data', async () => {
    await using fixture = await workspace();
    const bytes = Buffer.from(PIXEL, 'base64');
    await fixture.folder.write('a.png', bytes);
    expect(await fixture.run('read_file', { file_path: 'a.png' })).toEqual({
      type: 'image',
      file: { filePath: fixture.folder.resolve('a.png'), type: 'image/png', originalSize: bytes.length },
    });
  });

  test('of several reads has each file and the reasons for those that are missing', async () => {
    await using fixture = await workspace();
    await fixture.folder.write('a.txt', 'one\n');
    expect(await fixture.run('read_many_files', { paths: ['a.txt', 'b.txt'] })).toEqual({
      files: [{ filePath: fixture.folder.resolve('a.txt'), content: 'one\n', numLines: 1, truncated: false }],
      notes: [`${fixture.folder.resolve('b.txt')}: it does not exist`],
    });
  });

  test('of a write has the patch and the text before', async () => {
    await using fixture = await workspace();
    const filePath = fixture.folder.resolve('a.txt');
    expect(await fixture.run('write_file', { file_path: 'a.txt', content: 'one\n' })).toEqual({
      type: 'create',
      filePath,
      content: 'one\n',
      structuredPatch: [{ oldStart: 1, oldLines: 0, newStart: 1, newLines: 1, lines: ['+one'] }],
      originalFile: null,
      userModified: false,
    });
    const proposedInput = { file_path: 'a.txt', content: 'two\n' };
    const changed = { file_path: 'a.txt', content: 'three\n' };
    const context = { changedInput: changed, proposedInput };
    expect(await fixture.run('write_file', changed, context)).toMatchObject({
      type: 'update',
      content: 'three\n',
      originalFile: 'one\n',
      userModified: true,
    });
  });

  test('of an edit has the change and its lines', async () => {
    await using fixture = await workspace();
    await fixture.folder.write('a.txt', 'a\nb\nc\n');
    const input = { file_path: 'a.txt', old_string: 'b', new_string: 'B' };
    expect(await fixture.run('edit', input)).toEqual({
      filePath: fixture.folder.resolve('a.txt'),
      oldString: 'b',
      newString: 'B',
      replaceAll: false,
      originalFile: 'a\nb\nc\n',
      structuredPatch: [{ oldStart: 1, oldLines: 3, newStart: 1, newLines: 3, lines: [' a', '-b', '+B', ' c'] }],
      userModified: false,
    });
    const edits = [
      { old_string: 'a', new_string: 'A', replace_all: true },
      { old_string: 'c', new_string: 'C' },
    ];
    expect(await fixture.run('edit', { file_path: 'a.txt', edits })).toMatchObject({
      oldString: 'a',
      replaceAll: true,
    });
  });

  test('of a patch has the other files too', async () => {
    await using fixture = await workspace();
    const added = ['*** Add File: a.txt', '+a', '*** Add File: b.txt', '+b'];
    const patch = ['*** Begin Patch', ...added, '*** End Patch'].join('\n');
    expect(await fixture.run('edit', { patch })).toMatchObject({
      filePath: fixture.folder.resolve('a.txt'),
      oldString: '',
      originalFile: null,
      otherFiles: [{ filePath: fixture.folder.resolve('b.txt'), structuredPatch: [{ lines: ['+b'] }] }],
    });
  });

  test('of a change of a large file has no text before', async () => {
    await using fixture = await workspace();
    await fixture.folder.write('a.txt', `a\n${'x\n'.repeat(200_000)}`);
    const { originalFile, structuredPatch } = await fixture.run('edit', {
      file_path: 'a.txt',
      old_string: 'a',
      new_string: 'b',
    });
    expect(originalFile).toBeNull();
    expect(structuredPatch).toHaveLength(1);
  });

  test.each(['isHidden', 'isGuarded'])('of a change of a private file (%s) has no old text', async (member) => {
    await using fixture = await workspace();
    await fixture.folder.write('a.txt', 'KEY=secret\nb=1\n');
    const context = { [member]: () => true };
    const edit = { file_path: 'a.txt', old_string: 'b=1', new_string: 'b=2' };
    const written = [
      await fixture.run('edit', edit, context),
      await fixture.run('write_file', { file_path: 'a.txt', content: 'b=3\n' }, context),
    ];
    expect(written).toMatchObject(written.map(() => ({ originalFile: null, structuredPatch: [] })));
    expect(JSON.stringify(written)).not.toContain('secret');
  });

  test('of searches has names that are not escaped', async () => {
    await using fixture = await workspace();
    const { folder } = fixture;
    const name = 'a\u202e.txt';
    await folder.write(name, 'one\ntwo\n');
    await folder.write('sub/b.md', 'one\n');
    expect(await fixture.run('list_directory', { path: '.' })).toEqual({
      path: folder.path,
      entries: [
        { name: 'sub', type: 'directory' },
        { name, type: 'file' },
      ],
      truncated: false,
      numIgnored: 0,
    });
    const found = await fixture.run('glob', { pattern: '*.txt' });
    expect(found).toMatchObject({ filenames: [folder.resolve(name)], numFiles: 1, totalMatches: 1, truncated: false });
    expect(await fixture.run('glob', { pattern: '*.rs' })).toMatchObject({ filenames: [], countIsComplete: true });
    expect(await fixture.run('grep_search', { pattern: 'o' })).toEqual({
      mode: 'content',
      numFiles: 2,
      filenames: [name, 'sub/b.md'],
      content: expect.stringMatching(/:1: one\n.*:2: two\nsub\/b\.md:1: one$/),
      numLines: 3,
      numMatches: 3,
      truncated: false,
    });
    expect(await fixture.run('grep_search', { pattern: 'one', files_only: true, limit: 1 })).toEqual({
      mode: 'files_with_matches',
      numFiles: 1,
      filenames: [name],
      truncated: true,
    });
  });

  test('of a command has its output and its end', async () => {
    await using fixture = await workspace();
    expect(await fixture.run('run_shell_command', { command: 'echo out; echo err >&2; exit 3' })).toEqual({
      stdout: 'out\nerr\n',
      stderr: '',
      exitCode: 3,
      interrupted: false,
      timedOut: false,
      truncated: false,
    });
    const late = await fixture.run('run_shell_command', { command: 'sleep 60', timeout: 1000 });
    expect(late).toMatchObject({ exitCode: null, signal: 'SIGTERM', timedOut: true, interrupted: false });
  });

  test('of the other tools has what they were given', async () => {
    await using fixture = await workspace();
    const todos = [{ id: '1', content: 'Test.', status: 'pending' }];
    expect(await fixture.run('todo_write', { todos })).toEqual({ newTodos: todos });
    const plan = '1. Look';
    const leavePlanMode = () => 'default' as const;
    expect(await fixture.run('exit_plan_mode', { plan }, { leavePlanMode })).toEqual({ plan, planWasEdited: false });
    const questions = [
      { question: 'Which?', options: [{ label: 'a' }, { label: 'b' }], multiSelect: true },
      { question: '__proto__', options: [] },
      { question: 'Why?', options: [] },
    ];
    const answers = { 'Which?': ['a', 'b'], 1: 'yes' };
    const asked = await fixture.run('ask_user_question', { questions }, { changedInput: { questions, answers } });
    expect(asked.questions).toEqual(questions);
    expect(Object.entries(asked.answers)).toEqual([
      ['Which?', 'a, b'],
      ['__proto__', 'yes'],
    ]);
  });
});
