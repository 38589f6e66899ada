import { Readable } from 'node:stream';
import { verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { ResponseBody } from './response-body.js';

const bodyOf = (chunks: readonly Uint8Array[], contentType = 'text/event-stream'): ResponseBody =>
  new ResponseBody({
    status: 200,
    header: (name) => (name === 'content-type' ? contentType : undefined),
    body: Readable.from(chunks),
    close: () => undefined,
  });

const payloadsOf = async (body: ResponseBody): Promise<string[]> => {
  const payloads: string[] = [];
  for (let batch = await body.read(); batch !== undefined; batch = await body.read()) payloads.push(...batch);
  return payloads;
};

describe('cuts', () => {
  test.for(['\n', '\r\n', '\r'])('characters and line ends (%j) may be split anywhere', async (end) => {
    verifies('F73');
    const bytes = Buffer.from(`data: é漢🙂${end}${end}: alive${end}data:b${end}data: c${end}${end}: end${end}`);
    for (let first = 1; first < bytes.length; first += 1) {
      const cut = await payloadsOf(bodyOf([bytes.subarray(0, first), bytes.subarray(first)]));
      expect(cut, `cut at ${first}`).toEqual(['é漢🙂', 'b\nc']);
    }
    const single = await payloadsOf(bodyOf([...bytes].map((byte) => Uint8Array.of(byte))));
    expect(single).toEqual(['é漢🙂', 'b\nc']);
  });

  test('a JSON document may be split anywhere', async () => {
    verifies('F73');
    const bytes = Buffer.from('{"a":"é漢🙂"}');
    const body = bodyOf(
      [...bytes].map((byte) => Uint8Array.of(byte)),
      'application/json',
    );
    expect(await payloadsOf(body)).toEqual(['{"a":"é漢🙂"}']);
  });
});

test('an unfinished event is dropped', async () => {
  verifies('F71');
  expect(await payloadsOf(bodyOf([Buffer.from('data: a\n\ndata: half')]))).toEqual(['a']);
});

test('an event without data is dropped', async () => {
  verifies('F71');
  expect(await payloadsOf(bodyOf([Buffer.from('event: x\n\ndata:\n\ndata\n\ndata: a\n\n')]))).toEqual(['a']);
});
