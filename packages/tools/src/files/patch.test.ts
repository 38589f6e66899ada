import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import cases from '../../test/patch-cases.json' with { type: 'json' };
import { previewOf, runTool } from '../../test/run-tool.js';
import { editTool } from './edit-tool.js';
import { FileLedger } from './file-ledger.js';

const edit = editTool(new FileLedger());
const rowSchema = z.object({
  name: z.string(),
  before: z.record(z.string(), z.string()),
  input: z.record(z.string(), z.unknown()),
  /** All files afterwards. */
  after: z.optional(z.record(z.string(), z.string())),
  /** A pattern of the refusal; every file must stay as it is. */
  refused: z.optional(z.string()),
});

test.each(z.array(rowSchema).parse(cases))('patch: $name', async ({ before, input, after, refused }) => {
  await using folder = await temporaryFolder();
  for (const [name, text] of Object.entries(before)) await folder.write(name, text);
  const run = runTool(edit, input, { cwd: folder.path });
  if (refused !== undefined) await expect(run).rejects.toThrow(new RegExp(refused));
  else await run;
  const entries = await readdir(folder.path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const read = await Promise.all(
    files.map(async (file) => [relative(folder.path, file).replaceAll('\\', '/'), await readFile(file, 'utf8')]),
  );
  expect(Object.fromEntries(read)).toEqual(after ?? before);
});
const patched = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');

test('one patch adds, updates, moves and deletes files', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', 'one\r\ntwo\r\nthree\r\n');
  await folder.write('b.txt', 'class A:\n    def f():\n        return 1\n\n    def g():\n        return 1\n');
  await folder.write('c.txt', 'gone\n');
  await folder.write('d.txt', 'x\ny\n');
  const input = patched(
    '*** Add File: new/e.txt',
    '+hello',
    '+',
    '+world',
    '*** Update File: a.txt',
    '@@',
    ' one',
    '-two',
    '+zwei',
    ' three',
    '@@',
    '+four',
    '*** Update File: b.txt',
    '@@ def g():',
    '-        return 1',
    '+        return 2',
    '*** Delete File: c.txt',
    '*** Update File: d.txt',
    '*** Move to: moved/d.txt',
    '@@',
    ' x',
    '-y',
    '+z',
    '*** End of File',
  );
  const result = await runTool(edit, { input }, { cwd: folder.path });
  expect(result.content).toContain(`Moved ${folder.resolve('d.txt')}`);
  expect(await folder.read('new/e.txt')).toBe('hello\n\nworld\n');
  expect(await folder.read('a.txt')).toBe('one\r\nzwei\r\nthree\r\nfour\r\n');
  expect(await folder.read('b.txt')).toBe(
    'class A:\n    def f():\n        return 1\n\n    def g():\n        return 2\n',
  );
  expect(await folder.read('moved/d.txt')).toBe('x\nz\n');
  expect(await readdir(folder.path)).toEqual(['a.txt', 'b.txt', 'moved', 'new']);
});

test('a unified diff is applied; its line numbers select among equal places', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', 'x\n1\nx\n2\nx\n');
  const patch =
    'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -3,1 +3,2 @@\n-x\n+y\n+z\n@@ -5 +6 @@\n-x\n+w\n';
  await runTool(edit, { patch }, { cwd: folder.path });
  expect(await folder.read('a.txt')).toBe('x\n1\ny\nz\n2\nw\n');
});

test.each([
  ['a place that is not clear', patched('*** Update File: a.txt', '@@', '-x', '+y'), /Hunk 1 occurs 2 times/],
  ['a hunk that does not fit', patched('*** Update File: a.txt', '-one', '+1', '@@', '-nine', '+9'), /Hunk 2 was not/],
  ['a file that exists', patched('*** Add File: a.txt', '+x'), /exists already/],
  ['a file that is missing', patched('*** Update File: z.txt', '-x', '+y'), /does not exist/],
  ['a later section', patched('*** Update File: a.txt', '-one', '+1', '*** Delete File: z.txt'), /cannot be deleted/],
  ['a missing end', '*** Begin Patch\n*** Update File: a.txt\n-one\n+1', /stops before \*\*\* End Patch/],
  ['no change', patched('*** Update File: a.txt', ' one'), /changes nothing/],
  ['other text', 'please change it', /Invalid patch/],
])('a patch with %s changes nothing', async (_, patch, message) => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', 'one\nx\nx\n');
  await expect(runTool(edit, { patch }, { cwd: folder.path })).rejects.toThrow(message);
  expect(await folder.read('a.txt')).toBe('one\nx\nx\n');
  expect(await readdir(folder.path)).toEqual(['a.txt']);
});

test.runIf(process.platform === 'linux')('if a file cannot be written, the files before it are restored', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', 'one\n');
  const patch = patched(
    '*** Add File: n.txt',
    '+x',
    '*** Update File: a.txt',
    '-one',
    '+1',
    '*** Add File: /proc/n',
    '+x',
  );
  await expect(runTool(edit, { patch }, { cwd: folder.path })).rejects.toThrow('Cannot write');
  expect(await folder.read('a.txt')).toBe('one\n');
  expect(await readdir(folder.path)).toEqual(['a.txt']);
});

test('permissions see every file of a patch, and the preview shows all changes', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', 'one\n');
  await folder.write('b.txt', 'two\n');
  const patch = patched(
    '*** Update File: a.txt',
    '-one',
    '+1',
    '*** Update File: b.txt',
    '*** Move to: /tmp/x',
    '-two',
    '+2',
  );
  const paths = edit.paths(edit.parse({ patch }), folder.path);
  expect(paths).toEqual(
    [folder.resolve('a.txt'), folder.resolve('b.txt'), '/tmp/x'].map((path) => ({ path, access: 'write' })),
  );
  const both = patched('*** Update File: a.txt', '-one', '+1', '*** Update File: b.txt', '-two', '+2');
  const preview = await previewOf(edit, { patch: both }, { cwd: folder.path });
  expect(preview).toMatchObject({ type: 'edit', diff: expect.stringMatching(/-one\n\+1\n[\s\S]*-two\n\+2\n/) });
});

test.each([
  ['edit', { old_string: 'two', new_string: 'zwei' }, 'one\n  two\n', /changed since/],
  ['edit', { old_string: 'two', new_string: 'zwei' }, 'zero\none\ntwo\n', undefined],
])(
  '%s of a file that changed after the approval writes what was approved or nothing',
  async (_, change, now, refusal) => {
    await using folder = await temporaryFolder();
    await folder.write('a.txt', 'one\ntwo\n');
    const input = { file_path: 'a.txt', ...change };
    const approvedPreview = await previewOf(edit, input, { cwd: folder.path });
    await folder.write('a.txt', now);
    const run = runTool(editTool(new FileLedger()), input, {
      cwd: folder.path,
      ...(approvedPreview && { approvedPreview }),
    });
    if (refusal === undefined) await run;
    else await expect(run).rejects.toThrow(refusal);
    expect(await folder.read('a.txt')).toBe(refusal === undefined ? now.replace('two', 'zwei') : now);
  },
);
