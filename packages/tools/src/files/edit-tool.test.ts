import { readFile } from 'node:fs/promises';
import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { runTool } from '../../test/run-tool.js';
import { editTool } from './edit-tool.js';
import { FileLedger } from './file-ledger.js';

const edit = editTool(new FileLedger());

test('an exact text is replaced; the model reads a short note and the user sees a diff', async () => {
  await using folder = await temporaryFolder();
  const path = await folder.write('a.txt', 'one\ntwo\nthree\n');
  const result = await runTool(edit, { file_path: path, old_string: 'two', new_string: 'zwei' }, { cwd: folder.path });
  expect(await folder.read('a.txt')).toBe('one\nzwei\nthree\n');
  expect(result.content).toBe(`Edited ${path}: 1 replacement, first at line 2.`);
  expect(result.display).toMatchObject({ kind: 'diff', path });
  expect(result.display).toHaveProperty(
    'diff',
    expect.stringContaining('@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n'),
  );
});

test.each([
  ['does not stand in the file', { old_string: 'nine', new_string: 'x' }, /was not found/],
  ['occurs twice', { old_string: 'a', new_string: 'x' }, /occurs 2 times.*expected 1/],
  [
    'occurs another number of times',
    { old_string: 'a', new_string: 'x', expected_replacements: 3 },
    /2 times.*expected 3/,
  ],
  ['would not change', { old_string: 'a', new_string: 'a' }, /are identical/],
  ['is empty though the file is not', { old_string: '', new_string: 'x' }, /not empty/],
])('a text that %s changes nothing', async (_, change, message) => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', 'a b a\n');
  await expect(runTool(edit, { file_path: 'a.txt', ...change }, { cwd: folder.path })).rejects.toThrow(message);
  expect(await folder.read('a.txt')).toBe('a b a\n');
});

test.each([{ replace_all: true }, { expected_replacements: 2 }])('%j replaces every occurrence', async (how) => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', 'a b a\n');
  await runTool(edit, { file_path: 'a.txt', old_string: 'a', new_string: '$&', ...how }, { cwd: folder.path });
  expect(await folder.read('a.txt')).toBe('$& b $&\n');
});

test('characters with a meaning in regular expressions are plain text', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', 'x = (a|b)*[0]\\n^$.+?{1}/;\n');
  const old_string = '(a|b)*[0]\\n^$.+?{1}/';
  await runTool(edit, { file_path: 'a.txt', old_string, new_string: 'y' }, { cwd: folder.path });
  expect(await folder.read('a.txt')).toBe('x = y;\n');
});

test('an empty old text creates a new file with its folders', async () => {
  await using folder = await temporaryFolder();
  const input = { file_path: 'new/deep/a.txt', old_string: '', new_string: 'hello' };
  const result = await runTool(edit, input, { cwd: folder.path });
  expect(await folder.read('new/deep/a.txt')).toBe('hello');
  expect(result.content).toContain('Created');
});

test('an edit that expects text does not create a missing file', async () => {
  await using folder = await temporaryFolder();
  const input = { file_path: 'a.txt', old_string: 'x', new_string: 'y' };
  await expect(runTool(edit, input, { cwd: folder.path })).rejects.toThrow('does not exist');
});

test('UTF-8 with invalid bytes is refused, because an edit would lose them', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', Buffer.concat([Buffer.from('äöü a b '), Buffer.from([0xe4, 0x62])]));
  const input = { file_path: 'a.txt', old_string: 'b', new_string: 'c' };
  await expect(runTool(edit, input, { cwd: folder.path })).rejects.toThrow('not valid utf-8');
});

const GBK = [0xc4, 0xe3, 0xba, 0xc3, 0xa3, 0xac];

test.each([
  ['latin1', [0x63, 0x61, 0x66, 0xe9, 0x20, 0x31, 0x0a], ['café 1', 'thé 2'], [0x74, 0x68, 0xe9, 0x20, 0x32, 0x0a]],
  ['gbk', [...GBK, 0x31, 0x0a], ['你好，1', '你好，好'], [...GBK, 0xba, 0xc3, 0x0a]],
  ['utf-16le', [0xff, 0xfe, 0x61, 0, 0x0a, 0], ['a', '好'], [0xff, 0xfe, 0x7d, 0x59, 0x0a, 0]],
  ['utf-16be without a mark', [0, 0x61, 0, 0x62, 0, 0x0a], ['ab', 'cd'], [0, 0x63, 0, 0x64, 0, 0x0a]],
  ['utf-8 with a mark', [0xef, 0xbb, 0xbf, 0x61, 0x0a], ['a', 'é'], [0xef, 0xbb, 0xbf, 0xc3, 0xa9, 0x0a]],
])('the encoding of a file is kept: %s', async (_, before, [old_string, new_string], after) => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', Buffer.from(before));
  await runTool(edit, { file_path: 'a.txt', old_string, new_string }, { cwd: folder.path });
  expect([...(await readFile(folder.resolve('a.txt')))]).toEqual(after);
});

test("a text that the file's encoding cannot represent is refused before any write", async () => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]));
  const input = { file_path: 'a.txt', old_string: 'café', new_string: '咖啡' };
  await expect(runTool(edit, input, { cwd: folder.path })).rejects.toThrow('windows-1252, which has no "咖"');
  expect([...(await readFile(folder.resolve('a.txt')))]).toEqual([0x63, 0x61, 0x66, 0xe9, 0x0a]);
});

test('a refusal shows the nearest lines with numbers, except for a file that may contain secrets', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', 'one\nconst limit = 10;\nthree\n');
  const input = { file_path: 'a.txt', old_string: 'const Limit = 10;', new_string: 'x' };
  await expect(runTool(edit, input, { cwd: folder.path })).rejects.toThrow(
    /differs from line 2 in case\. The nearest lines:\n2\tconst limit = 10;$/,
  );
  const guarded = { cwd: folder.path, isGuarded: () => true };
  await expect(runTool(edit, input, guarded)).rejects.toThrow(/^(?![\s\S]*limit = 10;$)[\s\S]*was not found/);
});

test('concurrent edits of one file run one after the other', async () => {
  await using folder = await temporaryFolder();
  const words = Array.from({ length: 20 }, (_, index) => `<${index}>`);
  await folder.write('a.txt', words.join('\n'));
  const edits = words.map((word) =>
    runTool(
      edit,
      { file_path: 'a.txt', old_string: word, new_string: word.toUpperCase().replace('<', '[') },
      { cwd: folder.path },
    ),
  );
  await Promise.all(edits);
  expect(await folder.read('a.txt')).toBe(words.map((word) => word.replace('<', '[')).join('\n'));
});

test('a diff of a small change in a large file stays small and fast', async () => {
  await using folder = await temporaryFolder();
  const lines = Array.from({ length: 400_000 }, (_, index) => `line ${index}\n`);
  await folder.write('a.txt', lines.join(''));
  const input = { file_path: 'a.txt', old_string: 'line 200000\n', new_string: 'changed\n' };
  const { display } = await runTool(edit, input, { cwd: folder.path });
  expect(display).toHaveProperty('diff', expect.stringContaining('@@ -199998,7 +199998,7 @@'));
});
