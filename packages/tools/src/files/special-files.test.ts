import { execFileSync } from 'node:child_process';
import { link, mkdir, readFile, symlink, truncate } from 'node:fs/promises';
import { createServer } from 'node:net';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { runTool } from '../../test/run-tool.js';
import { editTool } from './edit-tool.js';
import { FileLedger } from './file-ledger.js';
import { readTool } from './read-tool.js';
import { writeTool } from './write-tool.js';

const ledger = new FileLedger();
const read = readTool(ledger, { lineNumbers: false });
const write = writeTool(ledger);
const edit = editTool(ledger);

/** All three tools on one path, each as the text of its refusal. */
async function refusals(file_path: string, cwd: string): Promise<string[]> {
  const runs = [
    runTool(read, { file_path }, { cwd }),
    runTool(write, { file_path, content: 'x' }, { cwd }),
    runTool(edit, { file_path, old_string: 'a', new_string: 'b' }, { cwd }),
  ];
  const settled = await Promise.allSettled(runs);
  return settled.map((run) => (run.status === 'rejected' ? String(run.reason) : 'went through'));
}

test('a named pipe without a writer is refused immediately', async () => {
  verifies('F101');
  await using folder = await temporaryFolder();
  execFileSync('mkfifo', [folder.resolve('pipe')]);
  expect(await refusals('pipe', folder.path)).toEqual(Array(3).fill(expect.stringContaining('is a named pipe')));
});

test('a device is refused, also through a link', async () => {
  verifies('F101');
  await using folder = await temporaryFolder();
  await symlink('/dev/zero', folder.resolve('zero'));
  expect(await refusals('zero', folder.path)).toEqual(Array(3).fill(expect.stringContaining('is a device')));
});

test('a folder is refused', async () => {
  verifies('F101');
  await using folder = await temporaryFolder();
  await mkdir(folder.resolve('sub'));
  expect(await refusals('sub', folder.path)).toEqual(Array(3).fill(expect.stringContaining('is a directory')));
});

test('a socket is refused', async () => {
  verifies('F101');
  await using folder = await temporaryFolder();
  await using server = createServer();
  await new Promise<void>((resolve) => server.listen(folder.resolve('socket'), resolve));
  expect(await refusals('socket', folder.path)).toEqual(Array(3).fill(expect.stringContaining('is a socket')));
});

test('a file of two gigabytes is read in parts and refused for changes', async () => {
  verifies('F101');
  await using folder = await temporaryFolder();
  const path = await folder.write('huge.txt', 'first\nsecond\n');
  await truncate(path, 2 * 1024 ** 3);
  const { content } = await runTool(read, { file_path: path, limit: 2 }, { cwd: folder.path });
  expect(content).toBe('first\nsecond\n\n[lines 1 to 2; more follow, continue with offset 3]');
  const [, ...changes] = await refusals('huge.txt', folder.path);
  expect(changes).toEqual(Array(2).fill(expect.stringContaining('too large')));
});

test('a link is followed to its target, and stays a link', async () => {
  verifies('F101');
  await using folder = await temporaryFolder();
  await folder.write('real.txt', 'one\n');
  await symlink('real.txt', folder.resolve('link.txt'));
  await runTool(edit, { file_path: 'link.txt', old_string: 'one', new_string: 'two' }, { cwd: folder.path });
  expect(await folder.read('real.txt')).toBe('two\n');
  expect(await readFile(folder.resolve('link.txt'), 'utf8')).toBe('two\n');
});

test.each(['write', 'edit'] as const)('%s leaves other hard links of the file unchanged', async (which) => {
  verifies('S36', 'F101');
  await using folder = await temporaryFolder();
  await folder.write('outside/hosts', 'original\n');
  await mkdir(folder.resolve('w'));
  await link(folder.resolve('outside/hosts'), folder.resolve('w/h'));
  const cwd = folder.resolve('w');
  if (which === 'write') await runTool(write, { file_path: 'h', content: 'mine\n' }, { cwd });
  else await runTool(edit, { file_path: 'h', old_string: 'original', new_string: 'mine' }, { cwd });
  expect(await folder.read('outside/hosts')).toBe('original\n');
  expect(await folder.read('w/h')).toBe('mine\n');
});

test('control characters of a file name are escaped', async () => {
  verifies('S46');
  await using folder = await temporaryFolder();
  const name = 'a\u001b[31m\nb';
  const { content } = await runTool(write, { file_path: name, content: '' }, { cwd: folder.path });
  expect(content).toContain(String.raw`a\u001b[31m\u000ab`);
  expect(content).not.toMatch(/[\u001b\n]/);
});

test.each(['-rf', '$(touch C)', '"; touch C; "', '`touch C`'])('%s is a plain file name', async (name) => {
  verifies('S46');
  await using folder = await temporaryFolder();
  await runTool(write, { file_path: name, content: 'x' }, { cwd: folder.path });
  const { content } = await runTool(read, { file_path: name }, { cwd: folder.path });
  expect(content).toBe('x');
  await expect(folder.read('C')).rejects.toThrow('ENOENT');
});
