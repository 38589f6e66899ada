import { gzipSync } from 'node:zlib';
import { verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { startGuardedServer } from '../../test/guarded-server.js';
import { RawClient } from '../../test/raw-client.js';
import { bodyGuard } from './body-guard.js';

const start = () => startGuardedServer(() => [bodyGuard({ maxBytes: 1000 })]);
const JSON_TYPE = { 'content-type': 'application/json' };

describe('types', () => {
  const SIMPLE = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain; application/json',
    'application/json-patch+json',
    'application/jsonx',
    '',
  ];

  test.each(SIMPLE)('%j is refused before the body is read', async (type) => {
    verifies('S58');
    await using server = await start();
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await fetch(`${server.url}/echo`, {
        method,
        body: new Blob(['{}']),
        headers: { 'content-type': type },
      });
      expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([
        415,
        'unsupported_media_type',
      ]);
    }
    expect(server.reached).toEqual([]);
  });

  test('a missing and a repeated content type are refused', async () => {
    verifies('S58');
    await using server = await start();
    for (const types of [[], ['Content-Type: application/json', 'Content-Type: text/plain']]) {
      using client = await RawClient.connect(server.port);
      client.request('POST /echo HTTP/1.1', 'Host: x', 'Content-Length: 2', ...types);
      client.socket.write('{}');
      expect(await client.status()).toBe(415);
    }
    expect(server.reached).toEqual([]);
  });

  test('JSON is accepted, with parameters, and so are requests without a body', async () => {
    await using server = await start();
    for (const type of ['application/json', 'Application/JSON; charset=utf-8']) {
      const answer = await fetch(`${server.url}/echo`, {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': type },
      });
      expect(answer.status).toBe(200);
    }
    for (const method of ['GET', 'DELETE', 'OPTIONS']) await fetch(`${server.url}/echo`, { method });
    expect(server.reached).toEqual(['POST /echo {}', 'POST /echo {}', 'GET /echo ', 'DELETE /echo ', 'OPTIONS /echo ']);
  });

  test('a compressed body is refused', async () => {
    await using server = await start();
    const headers = { ...JSON_TYPE, 'content-encoding': 'gzip' };
    const body = gzipSync('x'.repeat(10_000_000));
    expect((await fetch(`${server.url}/echo`, { method: 'POST', body, headers })).status).toBe(415);
  });
});

describe('sizes', () => {
  test('a body with an excessive length is refused before it arrives', async () => {
    await using server = await start();
    using client = await RawClient.connect(server.port);
    client.request('POST /echo HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Content-Length: 1000000000');
    expect(await client.status()).toBe(413);
    await client.until('payload_too_large');
    await client.closed;
  });

  test('an endless body is cut off at the limit', async () => {
    await using server = await start();
    using client = await RawClient.connect(server.port);
    client.request('POST /echo HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Transfer-Encoding: chunked');
    const chunk = `3e8\r\n${'x'.repeat(1000)}\r\n`;
    client.socket.write(chunk.repeat(2));
    expect(await client.status()).toBe(413);
    await client.closed;
    expect(server.reached).toEqual([]);
  });

  test('a body of exactly the limit is accepted', async () => {
    await using server = await start();
    const body = JSON.stringify('x'.repeat(998));
    expect((await fetch(`${server.url}/echo`, { method: 'POST', body, headers: JSON_TYPE })).status).toBe(200);
    const more = `${body} `;
    expect((await fetch(`${server.url}/echo`, { method: 'POST', body: more, headers: JSON_TYPE })).status).toBe(413);
    expect(server.reached).toEqual(['POST /echo 1000']);
  });
});
