import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { runTool } from '../../test/run-tool.js';
import { editTool } from './edit-tool.js';
import { FileLedger } from './file-ledger.js';
import { readTool } from './read-tool.js';
import { writeTool } from './write-tool.js';

function session() {
  const ledger = new FileLedger();
  return { read: readTool(ledger), write: writeTool(ledger), edit: editTool(ledger) };
}

test('a new file is created with its folders and default permissions', async () => {
  await using folder = await temporaryFolder();
  const { write } = session();
  const result = await runTool(write, { file_path: 'a/b/c.txt', content: 'hello\n' }, { cwd: folder.path });
  expect(await folder.read('a/b/c.txt')).toBe('hello\n');
  expect(result.content).toBe(`Created ${folder.resolve('a/b/c.txt')} (6 bytes).`);
  expect((await stat(folder.resolve('a/b/c.txt'))).mode & 0o777).toBe(0o666 & ~process.umask());
});

test('a file is replaced completely, with a diff for the user', async () => {
  await using folder = await temporaryFolder();
  const { write } = session();
  await folder.write('a.txt', 'old\n');
  const { content, display } = await runTool(write, { file_path: 'a.txt', content: 'new\n' }, { cwd: folder.path });
  expect(await folder.read('a.txt')).toBe('new\n');
  expect(content).toContain('Wrote');
  expect(display).toHaveProperty('diff', expect.stringContaining('-old\n+new\n'));
});

test.each([{ append: true }, { append: 'true' }, { mode: 'append' }])(
  'a call that wants to append is refused: %j',
  async (more) => {
    await using folder = await temporaryFolder();
    await folder.write('a.txt', 'old\n');
    const call = { file_path: 'a.txt', content: 'new\n', ...more };
    await expect(runTool(session().write, call, { cwd: folder.path })).rejects.toThrow('replaces the whole file');
    expect(await folder.read('a.txt')).toBe('old\n');
  },
);

test.each([
  '// ... existing code ...',
  '# ... rest of the file unchanged ...',
  '/* ... remaining styles ... */',
  '<!-- existing content here -->',
  '    // The rest of the code remains the same',
  '{/* other props stay the same */}',
  '// (rest of the methods ...)',
  '-- same as before...',
])('a new text that leaves out code is refused: %j', async (line) => {
  await using folder = await temporaryFolder();
  const { write, edit } = session();
  const content = `a();\n${line}\nc();\n`;
  await folder.write('a.txt', 'a();\nb();\nc();\n');
  const calls = [
    () => runTool(write, { file_path: 'a.txt', content }, { cwd: folder.path }),
    () => runTool(edit, { file_path: 'a.txt', old_string: 'b();\n', new_string: content }, { cwd: folder.path }),
  ];
  for (const call of calls) await expect(call()).rejects.toThrow('leaves out code');
  expect(await folder.read('a.txt')).toBe('a();\nb();\nc();\n');
  await runTool(write, { file_path: 'new.txt', content }, { cwd: folder.path });
  await runTool(write, { file_path: 'new.txt', content: `${content}d();\n` }, { cwd: folder.path });
});

test.each([
  '// ...',
  '# Existing users keep their password.',
  '// The rest of the arguments are paths.',
  '// other than that, the same rules apply',
  'print("...")',
  '// Same as before, but sorted.',
  '# Remaining time: 5 s ... 10 s is fine here, see above.',
])('a comment like %j is written', async (line) => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', 'a();\n');
  await runTool(session().write, { file_path: 'a.txt', content: `a();\n${line}\n` }, { cwd: folder.path });
  expect(await folder.read('a.txt')).toBe(`a();\n${line}\n`);
});

test.each([
  ['a.py', '```python\nprint(1)\n```\n'],
  ['a.py', 'Here is the file:\n\n```python\nprint(1)\n```\n'],
  ['a.ts', '```ts\na();\n```\nThis calls a.\n'],
  ['a.py', '1\timport os\n2\timport sys\n'],
  ['a.ts', '@@ -1,2 +1,2 @@\n-a();\n+b();\n'],
  ['a.ts', '<<<<<<< SEARCH\na();\n=======\nb();\n>>>>>>> REPLACE\n'],
  ['a.py', 'import re\\nx = re.sub(r\\d, y)\\nz = 1\\n'],
])('marks around the content of %s are not written: %j', async (file_path, content) => {
  await using folder = await temporaryFolder();
  await expect(runTool(session().write, { file_path, content }, { cwd: folder.path })).rejects.toThrow(
    /content .*Send/,
  );
  expect(await readdir(folder.path)).toEqual([]);
});

test.each([
  ['a.md', '```sh\nls\n```\n'],
  ['a.md', 'Run this:\n\n```sh\nls\n```\n'],
  ['a.patch', '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n'],
  ['a.py', 'print("a\\nb\\nc")\n'],
  ['a.js', "const lines = text.split('\\n').join('\\n');\n"],
  ['a.json', '{"text":"a\\nb\\nc"}'],
  ['a.sh', "printf 'a\\nb\\n'\n"],
  ['a.js', 'const parts = text.split(/\\n\\n/);\n'],
  ['a.py', 'def f():\n    """\n    ```\n    f()\n    ```\n    """\n'],
  ['a.ts', 'const text = `\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n@@ -1 +1 @@\n`;\n'],
  ['a.tsv', '1\ta\n2\tb\n'],
  ['a.yaml', '1: a\n2: b\n'],
])('the content of %s is written as it is: %j', async (file_path, content) => {
  await using folder = await temporaryFolder();
  await runTool(session().write, { file_path, content }, { cwd: folder.path });
  expect(await folder.read(file_path)).toBe(content);
});

test.each([
  [
    'a.py',
    'import os\\nimport sys\\n\\ndef a():\\n    print("x\\n")\\n',
    'import os\nimport sys\n\ndef a():\n    print("x\\n")\n',
  ],
  ['a.json', '{\\n  \\"a\\": 1,\\n  \\"b\\": 2\\n}', '{\n  "a": 1,\n  "b": 2\n}'],
])('a program on one line of %s gets its line ends: %j', async (file_path, content, wanted) => {
  await using folder = await temporaryFolder();
  const result = await runTool(session().write, { file_path, content }, { cwd: folder.path });
  expect(await folder.read(file_path)).toBe(wanted);
  expect(result.content).toContain('written as line ends');
});

test('no other file is left in the folder', async () => {
  await using folder = await temporaryFolder();
  const { write } = session();
  await runTool(write, { file_path: 'a.txt', content: '1' }, { cwd: folder.path });
  await runTool(write, { file_path: 'a.txt', content: '2' }, { cwd: folder.path });
  expect(await readdir(folder.path)).toEqual(['a.txt']);
});

test.each(['write', 'edit'] as const)('%s keeps mode, byte order mark and CRLF', async (which) => {
  verifies('F101');
  await using folder = await temporaryFolder();
  const path = await folder.write('run.sh', '\ufeffone\r\ntwo\r\n');
  await chmod(path, 0o755);
  const tools = session();
  if (which === 'write') await runTool(tools.write, { file_path: path, content: 'one\n2\n' }, { cwd: folder.path });
  else await runTool(tools.edit, { file_path: path, old_string: 'two', new_string: '2' }, { cwd: folder.path });
  expect(await readFile(path, 'utf8')).toBe('\ufeffone\r\n2\r\n');
  expect((await stat(path)).mode & 0o7777).toBe(0o755);
});

test('an edit over several lines matches and writes CRLF; a missing last line end stays missing', async () => {
  verifies('F101');
  await using folder = await temporaryFolder();
  const path = await folder.write('a.txt', 'one\r\ntwo\r\nthree');
  await runTool(session().edit, { file_path: path, old_string: 'one\ntwo', new_string: '1\n2' }, { cwd: folder.path });
  expect(await readFile(path, 'utf8')).toBe('1\r\n2\r\nthree');
});

test('unchanged lines keep their ends in a file that mixes them', async () => {
  verifies('F101');
  await using folder = await temporaryFolder();
  const path = await folder.write('a.txt', 'a\r\nb\nc\nd\n');
  await runTool(session().edit, { file_path: path, old_string: 'c', new_string: 'C\nX' }, { cwd: folder.path });
  expect(await readFile(path, 'utf8')).toBe('a\r\nb\nC\nX\nd\n');
});

test('UTF-16 stays UTF-16', async () => {
  verifies('F101');
  await using folder = await temporaryFolder();
  const utf16 = (text: string) => Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()]);
  const path = await folder.write('a.txt', utf16('äb\n'));
  await runTool(session().edit, { file_path: path, old_string: 'b', new_string: 'c' }, { cwd: folder.path });
  expect(await readFile(path)).toEqual(utf16('äc\n'));
});

test.each(['write', 'edit'] as const)('%s refuses a file that changed since it was read', async (which) => {
  verifies('F100');
  await using folder = await temporaryFolder();
  const path = await folder.write('a.txt', 'one\n');
  const tools = session();
  const change = () =>
    which === 'write'
      ? runTool(tools.write, { file_path: path, content: 'mine\n' }, { cwd: folder.path })
      : runTool(tools.edit, { file_path: path, old_string: 'one', new_string: 'mine' }, { cwd: folder.path });
  await runTool(tools.read, { file_path: path }, { cwd: folder.path });
  await writeFile(path, 'one, by somebody else\n');
  await expect(change()).rejects.toMatchObject({
    code: 'stale_file',
    message: expect.stringContaining('Read it again'),
  });
  expect(await readFile(path, 'utf8')).toBe('one, by somebody else\n');
  await runTool(tools.read, { file_path: path }, { cwd: folder.path });
  await change();
  expect(await readFile(path, 'utf8')).toContain('mine');
});

test('own changes do not make a file stale, and a deleted file can be recreated', async () => {
  verifies('F100');
  await using folder = await temporaryFolder();
  const tools = session();
  const path = await folder.write('a.txt', 'one\n');
  await runTool(tools.read, { file_path: path }, { cwd: folder.path });
  await runTool(tools.edit, { file_path: path, old_string: 'one', new_string: 'two' }, { cwd: folder.path });
  await runTool(tools.write, { file_path: path, content: 'three\n' }, { cwd: folder.path });
  await rm(path);
  await runTool(tools.write, { file_path: path, content: 'four\n' }, { cwd: folder.path });
  expect(await readFile(path, 'utf8')).toBe('four\n');
});
