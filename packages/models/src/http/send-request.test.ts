import { once } from 'node:events';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { startByteServer, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { ManualClock } from '../../test/manual-clock.js';
import { type HttpResponse, sendRequest } from './send-request.js';

const never = new AbortController().signal;
const send = (url: string, { signal = never, clock = new ManualClock() } = {}): Promise<HttpResponse> =>
  sendRequest(
    { method: 'POST', url, headers: { 'X-Extra': '1' }, body: '漢' },
    { signal, clock, connectTimeoutMs: 10_000 },
  );
const textOf = async ({ body }: HttpResponse): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

test('a request is sent unchanged and its response returned', async () => {
  await using server = await startByteServer([{ status: 418, headers: { 'X-Answer': 'a' }, chunks: ['one ', 'two'] }]);
  const answer = await send(`${server.url}/path?query=1`);
  expect(answer).toMatchObject({ status: 418 });
  expect(answer.header('x-ANSWER')).toBe('a');
  expect(answer.header('x-other')).toBeUndefined();
  expect(await textOf(answer)).toBe('one two');
  expect(server.requests).toMatchObject([
    { method: 'POST', url: '/path?query=1', body: '漢', headers: { 'x-extra': '1', 'content-length': '3' } },
  ]);
});

test('a dead idle connection fails the next request, not the process', async () => {
  verifies('F65');
  await using server = await startByteServer([{ chunks: ['a'] }, { ending: 'reset' }, { chunks: ['b'] }]);
  expect(await textOf(await send(server.url))).toBe('a');
  await setImmediate();
  await expect(send(server.url)).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(server.connectionCount).toBe(1);
  expect(await textOf(await send(server.url))).toBe('b');
});

test('connecting times out, and leaves no timer on success', async () => {
  verifies('F65', 'T12');
  await using server = await startByteServer([{ chunks: ['a'] }]);
  const clock = new ManualClock();
  void clock.fire(10_000);
  await expect(send(server.url, { clock })).rejects.toMatchObject({ code: 'network_unavailable' });
  expect(clock.pendingCount).toBe(0);
  await textOf(await send(server.url, { clock }));
  expect(clock.begunCount(10_000)).toBe(2);
  expect(clock.pendingCount).toBe(0);
});

test('an unread body stays in the socket', async () => {
  const capBytes = 64 * 1024 * 1024;
  let sentBytes = 0;
  function* endless(): Generator<Buffer> {
    for (; ; sentBytes += 65_536) yield Buffer.alloc(65_536);
  }
  await using server = createServer((request, response) => {
    if (request.url === '/endless') Readable.from(endless()).pipe(response);
    else response.end('a');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const answer = await send(`${url}/endless`);
  for (let turn = 0; turn < 500; turn += 1) await textOf(await send(url));
  expect(sentBytes).toBeLessThan(capBytes);
  for await (const chunk of answer.body) {
    expect(chunk.length).toBeGreaterThan(0);
    break;
  }
  server.closeAllConnections();
});

test('an abort closes the connection of an unread body', async () => {
  await using server = await startByteServer([{ chunks: ['a'], ending: 'hang' }]);
  const controller = new AbortController();
  const answer = await send(server.url, { signal: controller.signal });
  controller.abort();
  await server.closed(1);
  await expect(textOf(answer)).rejects.toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
});

test('an abort before the head rejects', async () => {
  const controller = new AbortController();
  const silent = createServer(() => controller.abort()).listen(0, '127.0.0.1');
  await using server = silent;
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  await expect(send(url, { signal: controller.signal })).rejects.toMatchObject({ code: 'ECONNRESET' });
  await expect(send(url, { signal: controller.signal })).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test.for([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
] as const)('a %s body is decoded, and a broken one is an error', async ([encoding, compress]) => {
  const headers = { 'content-encoding': encoding };
  const bytes = compress('hello 漢');
  await using server = await startByteServer([
    { headers, chunks: [bytes.subarray(0, 5), bytes.subarray(5)] },
    { headers, chunks: [bytes.subarray(0, 5)], ending: 'reset' },
  ]);
  expect(await textOf(await send(server.url))).toBe('hello 漢');
  expect(server.requests[0]?.headers).toMatchObject({ 'accept-encoding': 'identity' });
  await expect(send(server.url).then(textOf)).rejects.toMatchObject({ code: 'ECONNRESET' });
});
