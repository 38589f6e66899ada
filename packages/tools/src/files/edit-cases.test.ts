import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TemporaryFolder, temporaryFolder } from '@qwen/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import cases from '../../test/edit-cases.json' with { type: 'json' };
import { runTool } from '../../test/run-tool.js';
import { editTool } from './edit-tool.js';
import { FileLedger } from './file-ledger.js';

const rowSchema = z.looseObject({
  name: z.string(),
  file: z.string(),
  /** What the file must contain afterwards. */
  expect: z.optional(z.string()),
  /** A pattern of the refusal; the file must stay as it is. */
  refused: z.optional(z.string()),
});
const rows = z.array(rowSchema).parse(cases);
const edit = editTool(new FileLedger());

test('the corpus has at least 200 cases with different names', () => {
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
  expect(rows.length).toBeGreaterThanOrEqual(200);
});

/** Each case has a folder in it. */
let all: TemporaryFolder;
beforeAll(async () => void (all = await temporaryFolder()));
afterAll(() => all[Symbol.asyncDispose]());

test.each(rows)('edit: $name', async ({ name, file, expect: wanted, refused, ...change }) => {
  const cwd = all.resolve(String(rows.findIndex((row) => row.name === name)));
  await mkdir(cwd);
  await writeFile(join(cwd, 'a.txt'), file);
  const run = runTool(edit, { file_path: 'a.txt', ...change }, { cwd });
  if (refused !== undefined) await expect(run).rejects.toThrow(new RegExp(refused));
  else await run;
  expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe(wanted ?? file);
  expect(await readdir(cwd)).toEqual(['a.txt']);
});

test('a text with thousands of equal lines is refused without comparing them all', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', 'x = 1\n'.repeat(20_000));
  const change = { file_path: 'a.txt', old_string: '  x = 1\n'.repeat(4_000), new_string: 'y\n' };
  await expect(runTool(edit, change, { cwd: folder.path })).rejects.toThrow('occurs');
});

test('the old text may be the whole text of a large file', async () => {
  await using folder = await temporaryFolder();
  const lines = Array.from({ length: 60_000 }, (_, index) => `line ${index} of the file`);
  await folder.write('a.txt', lines.join('\n'));
  const change = { file_path: 'a.txt', old_string: lines.toSpliced(5, 1, 'no such line').join('\n'), new_string: 'y' };
  await expect(runTool(edit, change, { cwd: folder.path })).rejects.toThrow('differs from line 6');
});

test('a file in UTF-32 is binary', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', '');
  await writeFile(folder.resolve('a.txt'), Buffer.from('\xff\xfe\0\0a\0\0\0\n\0\0\0', 'latin1'));
  const change = { file_path: 'a.txt', old_string: 'a', new_string: 'bcd' };
  await expect(runTool(edit, change, { cwd: folder.path })).rejects.toThrow('binary');
});
