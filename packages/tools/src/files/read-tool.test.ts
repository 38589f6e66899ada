import { writeFile } from 'node:fs/promises';
import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { runTool, runToolForText } from '../../test/run-tool.js';
import { FileLedger } from './file-ledger.js';
import { readTool } from './read-tool.js';

const read = readTool(new FileLedger());
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}\n`).join('');

test('a text file comes as it is', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', 'one\ntwo');
  expect(await runTool(read, { file_path: 'a.txt' }, { cwd: folder.path })).toEqual({ content: 'one\ntwo' });
});

test('an empty file is reported', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', '');
  expect(await runTool(read, { file_path: 'a.txt' }, { cwd: folder.path })).toEqual({ content: '[the file is empty]' });
});

test('a window of lines names the next offset', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', numbered(10));
  const at = (offset: number, limit: number) =>
    runTool(read, { file_path: 'a.txt', offset, limit }, { cwd: folder.path });
  expect(await at(2, 2)).toEqual({ content: 'line 2\nline 3\n\n[lines 2 to 3; more follow, continue with offset 4]' });
  expect(await at(8, 5)).toEqual({ content: 'line 8\nline 9\n' });
  expect(await at(10, 5)).toEqual({ content: '[the file has no line 10]' });
});

test('a file of more lines than the default is cut and can be read to its end', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', numbered(2500));
  const first = await runTool(read, { file_path: 'a.txt' }, { cwd: folder.path });
  expect(first.content).toMatch(/line 1999\n\n\[lines 0 to 1999; more follow, continue with offset 2000\]$/);
  const rest = await runTool(read, { file_path: 'a.txt', offset: 2000 }, { cwd: folder.path });
  expect(rest.content).toMatch(/^line 2000\n[\s\S]*line 2499\n$/);
});

test('a file too large for memory is read as far as the window goes, the same as a small one', async () => {
  await using folder = await temporaryFolder();
  const lines = Array.from({ length: 120_000 }, (_, index) => `${index} ${'é'.repeat(20)}\n`);
  await folder.write('large.txt', lines.join(''));
  for (const offset of [0, 1, 60_000, 119_999]) {
    const content = await runToolForText(read, { file_path: 'large.txt', offset, limit: 3 }, { cwd: folder.path });
    const expected = lines.slice(offset, offset + 3).join('');
    expect(content.slice(0, expected.length)).toBe(expected);
    expect(content.includes(`continue with offset ${offset + 3}`)).toBe(offset < 119_999);
  }
  const beyond = await runTool(read, { file_path: 'large.txt', offset: 120_000 }, { cwd: folder.path });
  expect(beyond.content).toBe('[the file has no line 120000]');
});

test('an endless line is shortened, in small files and in large ones', async () => {
  await using folder = await temporaryFolder();
  for (const length of [10_000, 6_000_000]) {
    await folder.write('long.txt', `${'x'.repeat(length)}\nnext\n`);
    const content = await runToolForText(read, { file_path: 'long.txt' }, { cwd: folder.path });
    expect(content.length).toBeLessThan(150_000);
    expect(content).toContain(`${'x'.repeat(2000)}…`);
  }
});

test('UTF-16, byte order marks and latin1 are read, bytes that are invalid in UTF-8 are replaced and named', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.resolve('utf16'), Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('äb', 'utf16le')]));
  await writeFile(folder.resolve('bom'), '\ufeffx');
  await writeFile(folder.resolve('latin1'), Buffer.from([0x61, 0xe4, 0x62]));
  const text = async (file_path: string) => (await runTool(read, { file_path }, { cwd: folder.path })).content;
  expect(await text('utf16')).toBe('äb');
  expect(await text('bom')).toBe('x');
  expect(await text('latin1')).toBe('aäb');
  await writeFile(folder.resolve('broken'), Buffer.from([0xc3, 0xa4, 0x61, 0xc3, 0xb6, 0xe4]));
  expect(await text('broken')).toMatch(/^äaö\ufffd\n\[not valid UTF-8/);
});

test('a picture comes as a picture, known by its bytes and not by its name', async () => {
  await using folder = await temporaryFolder();
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  await folder.write('picture.txt', png);
  const { content } = await runTool(read, { file_path: 'picture.txt' }, { cwd: folder.path });
  expect(content).toEqual([
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png.toString('base64') } },
  ]);
});

test('a binary file is named instead of shown', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a.bin', Buffer.from([1, 0, 2]));
  await expect(runTool(read, { file_path: 'a.bin' }, { cwd: folder.path })).rejects.toThrow('binary file (3 bytes)');
});

test('a missing file is an error that names the path', async () => {
  await using folder = await temporaryFolder();
  await expect(runTool(read, { file_path: 'no.txt' }, { cwd: folder.path })).rejects.toMatchObject({
    code: 'tool_failed',
    message: `Cannot read ${folder.resolve('no.txt')}: it does not exist.`,
  });
});

test('our own environment is never read', async () => {
  await using folder = await temporaryFolder();
  for (const file_path of ['/proc/self/environ', `/proc/${process.pid}/environ`, '/proc/self/task/1/environ']) {
    await expect(runTool(read, { file_path }, { cwd: folder.path })).rejects.toMatchObject({ code: 'tool_failed' });
  }
});
