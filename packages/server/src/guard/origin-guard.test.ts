import { verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { startGuardedServer } from '../../test/guarded-server.js';
import { RawClient } from '../../test/raw-client.js';
import { originGuard } from './origin-guard.js';

const startOriginServer = () =>
  startGuardedServer((port) => [
    originGuard({
      hosts: [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`],
      origins: ['https://app.example:8443'],
    }),
  ]);

/** The status of a request with these lines; `PORT` is replaced by the port of the server. */
async function statusOf(port: number, ...lines: readonly string[]): Promise<number> {
  using client = await RawClient.connect(port);
  client.request(...lines.map((line) => line.replace('PORT', String(port))), 'Connection: close');
  await client.closed;
  expect(client.received.toLowerCase()).not.toContain('access-control-allow');
  return client.status();
}

describe('the Host header', () => {
  test.each(['127.0.0.1:PORT', 'localhost:PORT', 'LOCALHOST:PORT', '[::1]:PORT'])('%s is accepted', async (host) => {
    await using server = await startOriginServer();
    expect(await statusOf(server.port, 'GET /echo HTTP/1.1', `Host: ${host}`)).toBe(200);
  });

  const FOREIGN = [
    'evil.test',
    'evil.test:PORT',
    '127.0.0.1.nip.io:PORT',
    'localhost.:PORT',
    'localhost',
    '127.0.0.1:1',
    '',
  ];
  test.each(FOREIGN)('%j is not accepted', async (host) => {
    verifies('S61');
    await using server = await startOriginServer();
    for (const path of ['/echo', '/no-such-route']) {
      expect(await statusOf(server.port, `GET ${path} HTTP/1.1`, `Host: ${host}`)).toBe(403);
    }
    expect(await statusOf(server.port, 'GET /echo HTTP/1.1', `Host: ${host}`, 'X-Forwarded-Host: localhost:PORT')).toBe(
      403,
    );
    expect(server.reached).toEqual([]);
  });

  test('two hosts, none, and a complete URL are refused', async () => {
    verifies('S61');
    await using server = await startOriginServer();
    const own = 'Host: localhost:PORT';
    const foreign = 'Host: evil.test';
    expect(await statusOf(server.port, 'GET /echo HTTP/1.1', own, foreign)).toBeOneOf([400, 403]);
    expect(await statusOf(server.port, 'GET /echo HTTP/1.1', foreign, own)).toBeOneOf([400, 403]);
    expect(await statusOf(server.port, 'GET /echo HTTP/1.1')).toBe(400);
    expect(await statusOf(server.port, 'GET /echo HTTP/1.0')).toBe(403);
    expect(await statusOf(server.port, 'GET http://evil.test/echo HTTP/1.1', own)).toBeOneOf([400, 403]);
    expect(await statusOf(server.port, 'GET http://localhost:PORT/echo HTTP/1.1', own)).toBeOneOf([400, 403]);
    expect(server.reached).toEqual([]);
  });
});

describe('the Origin header', () => {
  const FOREIGN = [
    'https://evil.test',
    'null',
    'http://localhost.evil.test',
    'http://evil.test:3000',
    'http://127.0.0.1.evil.test',
    'file://',
    'chrome-extension://abcdefghijklmnop',
    'http://localhost:1',
    'http://localhost',
    'https://app.example',
    'http://app.example:8443',
    'HTTPS://app.example:8443',
    '',
  ];

  test.each(FOREIGN)('%j is refused, also for a read', async (origin) => {
    verifies('S60');
    await using server = await startOriginServer();
    const lines = ['Host: localhost:PORT', `Origin: ${origin}`];
    expect(await statusOf(server.port, 'POST /echo HTTP/1.1', ...lines, 'Content-Length: 0')).toBe(403);
    const asks = ['Access-Control-Request-Method: POST', 'Access-Control-Request-Private-Network: true'];
    expect(await statusOf(server.port, 'OPTIONS /echo HTTP/1.1', ...lines, ...asks)).toBe(403);
    expect(server.reached).toEqual([]);
  });

  test('two origins are refused', async () => {
    verifies('S60');
    await using server = await startOriginServer();
    const lines = ['Host: localhost:PORT', 'Origin: http://localhost:PORT', 'Origin: https://evil.test'];
    expect(await statusOf(server.port, 'GET /echo HTTP/1.1', ...lines)).toBe(403);
  });

  test('our own and listed origins are accepted', async () => {
    await using server = await startOriginServer();
    const host = 'Host: localhost:PORT';
    expect(await statusOf(server.port, 'GET /echo HTTP/1.1', host, 'Origin: http://localhost:PORT')).toBe(200);
    const listed = [host, 'Origin: https://app.example:8443', 'Sec-Fetch-Site: cross-site'];
    expect(await statusOf(server.port, 'GET /echo HTTP/1.1', ...listed)).toBe(200);
  });

  test.each(['cross-site', 'same-site', 'nonsense'])(
    'a request that is %s, such as an image, is refused',
    async (site) => {
      await using server = await startOriginServer();
      expect(await statusOf(server.port, 'GET /echo HTTP/1.1', 'Host: localhost:PORT', `Sec-Fetch-Site: ${site}`)).toBe(
        403,
      );
      for (const own of ['same-origin', 'none']) {
        expect(
          await statusOf(server.port, 'GET /echo HTTP/1.1', 'Host: localhost:PORT', `Sec-Fetch-Site: ${own}`),
        ).toBe(200);
      }
      expect(server.reached).toHaveLength(2);
    },
  );
});
