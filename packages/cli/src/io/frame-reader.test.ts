import { PassThrough, Readable } from 'node:stream';
import { DEFAULT_MAX_LINE_BYTES, type Frame, type LineDecoderOptions } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { type InputFrame, readFrames } from './frame-reader.js';

const PROMPT = '{"type":"user","message":{"role":"user","content":"hi"}}';

/** What arrives, in short: `number kind`, and `end`. */
async function read(input: Readable, options?: LineDecoderOptions): Promise<string[]> {
  const seen: string[] = [];
  await new Promise<void>((resolve) => {
    const listener = {
      onFrame: ({ frame, lineNumber }: InputFrame) => seen.push(`${lineNumber} ${describe(frame)}`),
      onEnd: () => {
        seen.push('end');
        resolve();
      },
    };
    readFrames(input, listener, options);
  });
  return seen;
}

function describe(frame: Frame): string {
  if (frame.kind === 'control') return `control ${frame.frame.kind}`;
  return frame.kind === 'invalid' ? frame.error.code : frame.kind;
}

test('lines arrive in order with their number, invalid ones with the problem', async () => {
  verifies('F9', 'F10', 'F12', 'M-86');
  const lines = [PROMPT, '{"type":"user",', 'null', '[]', '{"type":"from_the_future"}', '{"type":5}', PROMPT];
  expect(await read(Readable.from([Buffer.from(`${lines.join('\n')}\n`)]))).toEqual([
    '1 message',
    '2 invalid_json',
    '3 invalid_message',
    '4 invalid_message',
    '5 unknown',
    '6 invalid_message',
    '7 message',
    'end',
  ]);
});

test('reads each kind of line that an app may send', async () => {
  verifies('M-85', 'A-15');
  const lines = [
    PROMPT,
    '{"type":"control_request","request_id":"1","request":{"subtype":"interrupt"}}',
    '{"type":"control_response","response":{"subtype":"success","request_id":"1","response":{}}}',
    '{"type":"control_cancel_request","request_id":"1"}',
  ];
  expect(await read(Readable.from(lines.map((line) => Buffer.from(`${line}\n`))))).toEqual([
    '1 message',
    '2 control request',
    '3 control response',
    '4 control cancel',
    'end',
  ]);
});

test('a line over the limit affects only that line', async () => {
  verifies('F15');
  async function* bytes(): AsyncGenerator<Buffer> {
    for (let sent = 0; sent <= DEFAULT_MAX_LINE_BYTES; sent += 1024 * 1024) yield Buffer.alloc(1024 * 1024, 'a');
    yield Buffer.from(`\n${PROMPT}\n`);
  }
  expect(await read(Readable.from(bytes()))).toEqual(['1 line_too_long', '2 message', 'end']);
});

test('a last line without a line end counts', async () => {
  expect(await read(Readable.from([Buffer.from(PROMPT)]))).toEqual(['1 message', 'end']);
});

test('an input error ends the input once', async () => {
  const input = new PassThrough();
  const seen = read(input);
  input.write(`${PROMPT}\n`);
  setImmediate(() => input.destroy(new Error('broken')));
  expect(await seen).toEqual(['1 message', 'end']);
});

test('the caller can set another limit', async () => {
  verifies('FB10');
  const input = () => Readable.from([Buffer.from(`${PROMPT}\n{}\n`)]);
  expect(await read(input(), { maxLineBytes: PROMPT.length })).toEqual(['1 message', '2 invalid_message', 'end']);
  expect(await read(input(), { maxLineBytes: PROMPT.length - 1 })).toEqual([
    '1 line_too_long',
    '2 invalid_message',
    'end',
  ]);
});
