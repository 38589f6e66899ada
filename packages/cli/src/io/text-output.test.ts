import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { LineWriter } from './line-writer.js';
import { writePiece } from './text-output.js';

test('answers and notices reach one terminal in order', async () => {
  const shown: string[] = [];
  const terminal = () =>
    new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        shown.push(text);
        setImmediate(done);
      },
    });
  const outputs = { writer: new LineWriter(terminal()), stderr: terminal() };
  await writePiece({ to: 'stdout', text: 'Half an ans' }, outputs);
  await writePiece({ to: 'stdout', text: '\n' }, outputs);
  await writePiece({ to: 'stderr', text: '! News.\n' }, outputs);
  await writePiece({ to: 'stdout', text: 'wer\n' }, outputs);
  await outputs.writer.flush();
  expect(shown.join('')).toBe('Half an ans\n! News.\nwer\n');
});
