import { expect, test } from 'vitest';
import { attachFiles, readAttachment } from './attachments.js';

const read = (...files: readonly File[]) => Promise.allSettled(files.map(readAttachment));
const textFile = (name: string, bytes = 1) => new File(['x'.repeat(bytes)], name);
const MIB = 1024 * 1024;

test('files are attached until they are too many or too large; what is not attached has a reason', async () => {
  const first = attachFiles([], await read(textFile('a"<b>.md'), new File([new Uint8Array([0, 255])], 'tool.exe')));
  expect(first.list).toEqual([{ type: 'text', name: 'a__b_.md', text: 'x', label: 'a"<b>.md', bytes: 1 }]);
  expect(first.problem).toMatch(/^tool\.exe is neither an image/);
  expect((await read(textFile('big', 7 * MIB)))[0]).toMatchObject({ status: 'rejected' });

  const together = attachFiles(first.list, await read(textFile('one', 3 * MIB), textFile('two', 3 * MIB)));
  expect(together).toEqual({ list: first.list, problem: 'The attachments exceed 6 MB in total.' });
  const many = attachFiles(first.list, await read(...Array.from({ length: 20 }, () => textFile('a'))));
  expect(many).toEqual({ list: first.list, problem: 'A message has at most 20 attachments.' });
  expect(attachFiles(first.list, await read(textFile('b')))).toMatchObject({ problem: undefined });
});
