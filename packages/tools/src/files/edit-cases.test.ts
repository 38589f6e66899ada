import { readdir, readFile } from 'node:fs/promises';
import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
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

test.each(rows)('edit: $name', async ({ file, expect: wanted, refused, ...change }) => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', file);
  const run = runTool(edit, { file_path: 'a.txt', ...change }, { cwd: folder.path });
  if (refused !== undefined) await expect(run).rejects.toThrow(new RegExp(refused));
  else await run;
  expect(await readFile(folder.resolve('a.txt'), 'utf8')).toBe(wanted ?? file);
  expect(await readdir(folder.path)).toEqual(['a.txt']);
});
