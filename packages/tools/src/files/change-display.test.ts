import type { AnyTool } from '@qwen/agent';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { previewOf, runTool } from '../../test/run-tool.js';
import { editTool } from './edit-tool.js';
import { FileLedger } from './file-ledger.js';
import { writeTool } from './write-tool.js';

const edit: AnyTool = editTool(new FileLedger());
const write: AnyTool = writeTool(new FileLedger());

test('a change is shown with both texts and its line numbers', async () => {
  verifies('D-24', 'D-25');
  await using folder = await temporaryFolder();
  const path = await folder.write('a.txt', 'one\ntwo\nthree\n');
  const input = { file_path: 'a.txt', old_string: 'two\n', new_string: 'zwei\nzwo\n' };
  expect((await runTool(edit, input, { cwd: folder.path })).display).toEqual({
    kind: 'diff',
    path,
    diff: expect.stringContaining('-two\n+zwei\n+zwo\n'),
    original: 'one\ntwo\nthree\n',
    modified: 'one\nzwei\nzwo\nthree\n',
    stat: { aiAdded: 2, aiRemoved: 1, userAdded: 0, userRemoved: 0 },
  });
});

test.each([
  ['edit', edit, { old_string: 'two\n', new_string: 'zwei\n' }, { old_string: 'two\n', new_string: 'dos\nduo\n' }],
  ['write_file', write, { content: 'one\nzwei\n' }, { content: 'one\ndos\nduo\n' }],
])("changes by the user to a call of %s count as the user's", async (_, tool, proposed, changed) => {
  verifies('D-25');
  await using folder = await temporaryFolder();
  await folder.write('a.txt', 'one\ntwo\n');
  const context = { cwd: folder.path, proposedInput: { file_path: 'a.txt', ...proposed }, changedInput: changed };
  const { display } = await runTool(tool, { file_path: 'a.txt', ...changed }, context);
  expect(display).toMatchObject({
    modified: 'one\ndos\nduo\n',
    stat: { aiAdded: 1, aiRemoved: 1, userAdded: 2, userRemoved: 1 },
  });
});

test('an invalid edit of the model does not count', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', 'one\n');
  const proposedInput = { file_path: 'a.txt', old_string: 'nine', new_string: 'x' };
  const changed = { file_path: 'a.txt', old_string: 'one', new_string: 'eins' };
  const { display } = await runTool(edit, changed, { cwd: folder.path, proposedInput, changedInput: changed });
  expect(display).toMatchObject({ stat: { aiAdded: 0, aiRemoved: 0, userAdded: 1, userRemoved: 1 } });
});

test.each([
  ['edit', edit, { old_string: 'two', new_string: 'zwei' }, 'one\r\nzwei\r\n'],
  ['write_file', write, { content: 'eins\nzwei\n' }, 'eins\r\nzwei\r\n'],
])('the preview of %s shows exactly what it would write, and writes nothing', async (_, tool, change, modified) => {
  verifies('D-29');
  await using folder = await temporaryFolder();
  const path = await folder.write('a.txt', 'one\r\ntwo\r\n');
  const input = { file_path: 'a.txt', ...change };
  const preview = await previewOf(tool, input, { cwd: folder.path });
  expect(preview).toMatchObject({ type: 'edit', path, original: 'one\r\ntwo\r\n', modified });
  expect(await folder.read('a.txt')).toBe('one\r\ntwo\r\n');
  expect((await runTool(tool, input, { cwd: folder.path })).display).toMatchObject({
    diff: preview?.type === 'edit' && preview.diff,
  });
  expect(await folder.read('a.txt')).toBe(modified);
});

test('a new file is shown as added; an invalid edit has no preview', async () => {
  verifies('D-29');
  await using folder = await temporaryFolder();
  const fresh = await previewOf(write, { file_path: 'b.txt', content: 'x\n' }, { cwd: folder.path });
  expect(fresh).toMatchObject({ original: '', modified: 'x\n', diff: expect.stringContaining('+x\n') });
  const gone = { file_path: 'b.txt', old_string: 'x', new_string: 'y' };
  await expect(previewOf(edit, gone, { cwd: folder.path })).rejects.toThrow('does not exist');
});

test('long texts are omitted, but the diff is present', async () => {
  await using folder = await temporaryFolder();
  const long = `${'line\n'.repeat(60_000)}end\n`;
  await folder.write('a.txt', long);
  const input = { file_path: 'a.txt', old_string: 'end', new_string: 'END' };
  const preview = await previewOf(edit, input, { cwd: folder.path });
  expect(preview).toMatchObject({ type: 'edit', diff: expect.stringContaining('-end\n+END\n') });
  const { display } = await runTool(edit, input, { cwd: folder.path });
  for (const shown of [preview, display]) {
    expect(shown).not.toHaveProperty('original');
    expect(shown).not.toHaveProperty('modified');
  }
});
