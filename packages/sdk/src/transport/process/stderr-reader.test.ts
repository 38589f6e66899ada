import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { StderrReader } from './stderr-reader.js';

test('emits complete lines for any chunking', () => {
  const lines: string[] = [];
  const reader = new StderrReader((line) => lines.push(line));
  const bytes = Buffer.from('größe\r\nzwei\n\nlast');
  for (const byte of bytes) reader.push(Buffer.from([byte]));
  reader.end();
  expect(lines).toEqual(['größe', 'zwei', '', 'last']);
});

test('emits an endless line in pieces', () => {
  verifies('T20');
  const lines: string[] = [];
  const reader = new StderrReader((line) => lines.push(line));
  for (let index = 0; index < 10; index += 1) reader.push(Buffer.alloc(32 * 1024, 'x'));
  reader.end();
  expect(lines.map((line) => line.length)).toEqual([65_536, 65_536, 65_536, 65_536, 65_536]);
});

test('the tail is the last 64 KiB, in one chunk or in many', () => {
  verifies('F31', 'T20');
  const reader = new StderrReader();
  reader.push(Buffer.alloc(1024 * 1024, 'a'));
  expect(reader.tail).toHaveLength(65_536);
  for (let index = 0; index < 100; index += 1) reader.push(Buffer.from(`${index}`.padEnd(1000, '.')));
  reader.push(Buffer.from('the end\n'));
  expect(reader.tail).toHaveLength(65_535);
  expect(reader.tail.endsWith('the end')).toBe(true);
});
