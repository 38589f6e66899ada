import { writeFile } from 'node:fs/promises';
import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { runTool, runToolForText } from '../../test/run-tool.js';
import { FileLedger } from './file-ledger.js';
import { readTool } from './read-tool.js';

const read = readTool(new FileLedger(), { lineNumbers: false });
const numbered = readTool(new FileLedger());
const lined = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}\n`).join('');

test('a text file is returned unchanged', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', 'one\ntwo');
  expect(await runTool(read, { file_path: 'a.txt' }, { cwd: folder.path })).toMatchObject({ content: 'one\ntwo' });
});

test('lines have numbers from the first one shown, unless disabled', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', 'one\ntwo\n\nfour');
  const content = async (input: object) =>
    (await runTool(numbered, { file_path: 'a.txt', ...input }, { cwd: folder.path })).content;
  expect(await content({})).toBe('1\tone\n2\ttwo\n3\t\n4\tfour');
  expect(await content({ offset: 2, limit: 1 })).toBe('2\ttwo\n\n[lines 2 to 2; more follow, continue with offset 3]');
  expect(await content({ line_numbers: false })).toBe('one\ntwo\n\nfour');
  expect(await content({ start_line: 2, end_line: 3 })).toMatch(/^2\ttwo\n3\t\n\n\[lines 2 to 3/);
  expect(await content({ view_range: [3, -1] })).toBe('3\t\n4\tfour');
});

test('a notebook is shown as its cells and outputs; broken JSON unchanged', async () => {
  await using folder = await temporaryFolder();
  const outputs = [
    { output_type: 'stream', name: 'stdout', text: ['hello\n'] },
    { output_type: 'display_data', data: { 'image/png': 'iVBOR', 'text/plain': '<Figure>' } },
    { output_type: 'error', ename: 'ValueError', evalue: 'no', traceback: [] },
  ];
  const cells = [
    { cell_type: 'markdown', source: ['# Title\n', 'text'], metadata: {} },
    { cell_type: 'code', source: 'print("hello")', outputs, metadata: {}, execution_count: 1 },
  ];
  await folder.write('a.ipynb', JSON.stringify({ cells, nbformat: 4, metadata: {} }));
  await folder.write('b.ipynb', '{"cells": [');
  const { content } = await runTool(numbered, { file_path: 'a.ipynb' }, { cwd: folder.path });
  expect(content).toBe(
    '--- cell 1: markdown ---\n# Title\ntext\n--- cell 2: code ---\nprint("hello")\n--- output ---\nhello\n' +
      '--- output ---\n<Figure>\n[image/png]\n--- output ---\nValueError: no\n\n[a notebook, shown as text; the file is JSON]',
  );
  expect((await runTool(read, { file_path: 'b.ipynb' }, { cwd: folder.path })).content).toBe('{"cells": [');
});

/** A PDF of two pages with these texts. */
function pdfOf(first: string, second: string): string {
  const stream = (text: string) => {
    const content = `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`;
    return `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;
  };
  const page = (content: number) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${content} 0 R /Resources << /Font << /F1 7 0 R >> >> >>`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
    page(5),
    page(6),
    stream(first),
    stream(second),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const start = text.length;
  const table = `xref\n0 8\n0000000000 65535 f \n${offsets.join('')}`;
  return `${text}${table}trailer\n<< /Size 8 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
}

test('a PDF is shown as the text of its pages, whatever its name; a broken one is an error', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a.bin', pdfOf('Hello PDF', 'Second page'));
  await folder.write('b.pdf', '%PDF-1.4\nbroken');
  const { content } = await runTool(numbered, { file_path: 'a.bin' }, { cwd: folder.path });
  expect(content).toBe(
    '--- page 1 of 2 ---\nHello PDF\n--- page 2 of 2 ---\nSecond page\n\n[a PDF, shown as text without its layout]',
  );
  const broken = runTool(read, { file_path: 'b.pdf' }, { cwd: folder.path });
  await expect(broken).rejects.toThrow('The PDF cannot be read');
});

test('an empty file is reported', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', '');
  expect(await runTool(read, { file_path: 'a.txt' }, { cwd: folder.path })).toMatchObject({
    content: '[the file is empty]',
  });
});

test('a window of lines reports the next offset', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', lined(10));
  const at = (offset: number, limit: number) =>
    runTool(read, { file_path: 'a.txt', offset, limit }, { cwd: folder.path });
  expect(await at(3, 2)).toMatchObject({
    content: 'line 2\nline 3\n\n[lines 3 to 4; more follow, continue with offset 5]',
  });
  expect(await at(9, 5)).toMatchObject({ content: 'line 8\nline 9\n' });
  expect(await at(11, 5)).toMatchObject({ content: '[the file has no line 11]' });
  expect(await at(0, 1)).toEqual(await at(1, 1));
});

test('a file with more lines than the default is truncated and can be read to its end', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a.txt', lined(2500));
  const first = await runTool(read, { file_path: 'a.txt' }, { cwd: folder.path });
  expect(first.content).toMatch(/line 1999\n\n\[lines 1 to 2000; more follow, continue with offset 2001\]$/);
  const rest = await runTool(read, { file_path: 'a.txt', offset: 2001 }, { cwd: folder.path });
  expect(rest.content).toMatch(/^line 2000\n[\s\S]*line 2499\n$/);
});

test('a file too large for memory is read up to the window, with the same result as a small one', async () => {
  await using folder = await temporaryFolder();
  const lines = Array.from({ length: 120_000 }, (_, index) => `${index} ${'é'.repeat(20)}\n`);
  await folder.write('large.txt', lines.join(''));
  for (const offset of [1, 2, 60_001, 120_000]) {
    const content = await runToolForText(read, { file_path: 'large.txt', offset, limit: 3 }, { cwd: folder.path });
    const expected = lines.slice(offset - 1, offset + 2).join('');
    expect(content.slice(0, expected.length)).toBe(expected);
    expect(content.includes(`continue with offset ${offset + 3}`)).toBe(offset < 120_000);
  }
  const beyond = await runTool(read, { file_path: 'large.txt', offset: 120_001 }, { cwd: folder.path });
  expect(beyond.content).toBe('[the file has no line 120001]');
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

test('reads UTF-16, byte order marks and latin1, and reports invalid UTF-8', async () => {
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

test('an image is returned as an image, detected by content', async () => {
  await using folder = await temporaryFolder();
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  await folder.write('picture.txt', png);
  const { content } = await runTool(read, { file_path: 'picture.txt' }, { cwd: folder.path });
  expect(content).toEqual([
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png.toString('base64') } },
  ]);
});

test('a binary file is described instead of shown', async () => {
  await using folder = await temporaryFolder();
  await folder.write('a.bin', Buffer.from([1, 0, 2]));
  await expect(runTool(read, { file_path: 'a.bin' }, { cwd: folder.path })).rejects.toThrow('binary file (3 bytes)');
});

test('a missing file is an error with its path', async () => {
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
