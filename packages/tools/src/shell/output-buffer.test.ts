import { verifies } from '@qwen/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OutputBuffer } from './output-buffer.js';

test('keeps all output that fits, in any chunks', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 8 }), (chunks) => {
      const buffer = new OutputBuffer(200);
      for (const chunk of chunks) buffer.push(chunk);
      expect(buffer.toText()).toBe(Buffer.concat(chunks).toString());
    }),
  );
});

test('keeps the beginning and the end of longer output, in any chunks', () => {
  verifies('F16');
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 30 }), (lengths) => {
      const total = lengths.reduce((sum, length) => sum + length, 0);
      const bytes = Buffer.from(Array.from({ length: total }, (_, index) => 97 + (index % 26)));
      const buffer = new OutputBuffer(16);
      let at = 0;
      for (const length of lengths) {
        buffer.push(bytes.subarray(at, at + length));
        at += length;
      }
      const head = bytes.toString('latin1', 0, 8);
      const tail = bytes.toString('latin1', total - 8);
      const expected = total <= 16 ? bytes.toString() : `${head}\n[… ${total - 16} bytes omitted …]\n${tail}`;
      expect(buffer.toText()).toBe(expected);
    }),
  );
});

test('splits no character at the omitted middle', () => {
  for (let maxBytes = 2; maxBytes < 30; maxBytes += 1) {
    const buffer = new OutputBuffer(maxBytes);
    buffer.push(Buffer.from('aé漢😀'.repeat(20)));
    expect(buffer.toText()).not.toContain('\ufffd');
  }
});
