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

test.each([
  ['2\t    x = 7', 'line numbers, first 2'],
  ['2\t    x = 7\n3\t    y = 8', 'line numbers'],
  ['2\u2192    x = 7\n    y = 8', 'line numbers'],
  ['<<<<<<< SEARCH\n    x = 1\n=======\n    x = 7\n>>>>>>> REPLACE', 'SEARCH/REPLACE'],
  ['@@ -2,1 +2,1 @@\n-    x = 1\n+    x = 7', 'is a diff'],
  ['-    x = 1\n+    x = 7', 'is a diff'],
  ['Here is the new code:\n```python\n    x = 7\n```', 'code fence'],
])('marks that only the new text has are refused: %j', async (new_string, reason) => {
  await using folder = await temporaryFolder();
  const text = 'def a():\n    x = 1\n    return x\n';
  await folder.write('a.py', text);
  const change = { file_path: 'a.py', old_string: '    x = 1', new_string };
  await expect(runTool(edit, change, { cwd: folder.path })).rejects.toThrow(reason);
  expect(await folder.read('a.py')).toBe(text);
});

test.each([
  ['a.tsv', '1\ta\n', '1\ta\n2\tb\n'],
  ['a.md', '- a\n', '- a\n+ b\n'],
  ['a.js', 'a = b\n', 'a = b\n  + c\n  - d\n'],
  ['a.md', 'text\n', 'Run it:\n```sh\nls\n```\n'],
  ['a.txt', '<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n', '<<<<<<< a\nx\n=======\nz\n>>>>>>> b\n'],
])('marks that belong to the text of %s are written: %j', async (file_path, old_string, new_string) => {
  await using folder = await temporaryFolder();
  await folder.write(file_path, old_string);
  await runTool(edit, { file_path, old_string, new_string }, { cwd: folder.path });
  expect(await folder.read(file_path)).toBe(new_string);
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
  [
    'shift_jis',
    Buffer.from('2f2f2090dd92e882f093c782de0a', 'hex'),
    ['読む', '表示ソ'],
    [...Buffer.from('2f2f2090dd92e882f0955c8ea6835c0a', 'hex')],
  ],
  [
    'euc-jp',
    Buffer.from('2f2f20c0dfc4eaa4f2c6c9a4e00a', 'hex'),
    ['読む', '表示する'],
    [...Buffer.from('2f2f20c0dfc4eaa4f2c9bdbca8a4b9a4eb0a', 'hex')],
  ],
  [
    'euc-kr',
    Buffer.from('2f2f20bcb3c1a4c0bb20c0d0b4c220c7d4bcf60a', 'hex'),
    ['읽는', '저장하는'],
    [...Buffer.from('2f2f20bcb3c1a4c0bb20c0fac0e5c7cfb4c220c7d4bcf60a', 'hex')],
  ],
  [
    'big5',
    Buffer.from('2f2f20c5aaa8fab35da977c0c9aabaa8e7a6a10a', 'hex'),
    ['函式', '功能'],
    [...Buffer.from('2f2f20c5aaa8fab35da977c0c9aabaa55cafe00a', 'hex')],
  ],
  [
    'windows-1251',
    Buffer.from('2f2f20d7e8f2e0f2fc20ede0f1f2f0eee9eae80a', 'hex'),
    ['настройки', 'файл'],
    [...Buffer.from('2f2f20d7e8f2e0f2fc20f4e0e9eb0a', 'hex')],
  ],
  ['utf-16le', [0xff, 0xfe, 0x61, 0, 0x0a, 0], ['a', '好'], [0xff, 0xfe, 0x7d, 0x59, 0x0a, 0]],
  ['utf-16be without a mark', [0, 0x61, 0, 0x62, 0, 0x0a], ['ab', 'cd'], [0, 0x63, 0, 0x64, 0, 0x0a]],
  ['utf-8 with a mark', [0xef, 0xbb, 0xbf, 0x61, 0x0a], ['a', 'é'], [0xef, 0xbb, 0xbf, 0xc3, 0xa9, 0x0a]],
])('the encoding of a file is kept: %s', async (_, before, [old_string, new_string], after) => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', Buffer.from(before));
  await runTool(edit, { file_path: 'a.txt', old_string, new_string }, { cwd: folder.path });
  expect([...(await readFile(folder.resolve('a.txt')))]).toEqual(after);
});

test.each([
  ['quotes', '// \u201cA\u201d \u2013 it\u2019s 5\u20ac\n'],
  ['degrees', '// 20\u00b0C and 30\u00b0C\n'],
  ['capitals', '// \u00c5TG\u00c4RD KR\u00c4VS\n'],
  ['words', '// Gr\u00f6\u00dfe, na\u00efve, a\u00f1o\n'],
])('%s of windows-1252 are not decoded as another encoding', async (_, text) => {
  await using folder = await temporaryFolder();
  const special: Record<string, number> = {
    '\u201c': 0x93,
    '\u201d': 0x94,
    '\u2013': 0x96,
    '\u2019': 0x92,
    '\u20ac': 0x80,
  };
  const bytes = [...text].map((character) => special[character] ?? character.charCodeAt(0));
  await folder.write('a.txt', Buffer.from(bytes));
  await runTool(edit, { file_path: 'a.txt', old_string: text, new_string: `${text}x` }, { cwd: folder.path });
  expect([...(await readFile(folder.resolve('a.txt')))]).toEqual([...bytes, 0x78]);
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
