import { CHAT_API, chatErrorSchema } from '@qwen/protocol/server';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import manifest from '../../package.json' with { type: 'json' };
import { rawExchange } from '../../test/raw-exchange.js';
import { createServer } from '../app/create-server.js';

// The routes of the chat API behind the guards of a whole server.

const token = 'a-token-of-at-least-16-characters';
const paths = Object.keys(CHAT_API);
const asks = [...paths, '/api/chat/events', '/api/chat/follow', '/api/hints', '/openapi.json'];

const jsonPost = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });

test('a server with a token requires it on every route, and does nothing without it', async () => {
  verifies('S55', 'S56', 'Q-07', 'Q-08', 'CF-59');
  await using server = await createServer({ store: 'memory:', token, requireAuth: true });
  const { url } = await server.listen({ port: 0 });
  const wrong: Record<string, string>[] = [
    { authorization: 'Bearer' },
    { authorization: `Bearer ${token.slice(0, -1)}` },
    { authorization: `Bearer ${token}x` },
    { authorization: `Basic ${token}` },
  ];
  for (const [index, path] of asks.entries()) {
    // Not all for each route: after 100 wrong tokens, the server answers 429.
    for (const headers of [{}, wrong[index % wrong.length]]) {
      const answer = await jsonPost(url + path, '{"message":"hi"}', headers);
      expect({ path, status: answer.status }).toEqual({ path, status: 401 });
      expect(answer.headers.get('www-authenticate')).toContain('Bearer');
      expect(chatErrorSchema.parse(await answer.json())).toMatchObject({ error: 'Unauthorized' });
    }
    expect((await jsonPost(`${url}${path}?token=${token}`, '{}')).status).toBe(401);
  }
  const authorization = `Bearer ${token}`;
  const listed = await jsonPost(`${url}/api/sessions/list`, '{}', { authorization });
  expect(await listed.json()).toEqual({ sessions: [], total: 0 });
});

test('only JSON is accepted, from any client', async () => {
  verifies('S58', 'S71', 'GAP-62', 'Q-02', 'F133');
  await using server = await createServer({ store: 'memory:', token, maxBodyBytes: 1000 });
  const { url } = await server.listen({ port: 0 });
  const types = [
    undefined,
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
  ];
  for (const path of paths) {
    for (const type of types) {
      const body = new TextEncoder().encode('{"message":"hi"}');
      const headers = type === undefined ? undefined : { 'content-type': type };
      const answer = await fetch(url + path, { method: 'POST', body, ...(headers && { headers }) });
      expect({ path, type, status: answer.status }).toEqual({ path, type, status: 415 });
      expect(await answer.json()).toMatchObject({ error: 'Unsupported media type', message: expect.any(String) });
    }
    const large = await jsonPost(url + path, JSON.stringify({ message: 'x'.repeat(1000) }));
    expect({ path, status: large.status }).toEqual({ path, status: 413 });
    expect(await large.json()).toMatchObject({ error: 'Too large', message: expect.any(String) });
    const zipped = await jsonPost(url + path, '{}', { 'content-encoding': 'gzip' });
    expect(zipped.status).toBe(415);
  }
  const listed = await jsonPost(`${url}/api/sessions/list`, '{}');
  expect(await listed.json()).toEqual({ sessions: [], total: 0 });
});

test('pages of other origins and other hosts reach no route', async () => {
  verifies('S60', 'S61', 'S59', 'S64');
  await using server = await createServer({ store: 'memory:', token });
  const { port } = await server.listen({ port: 0 });
  const own = `Host: localhost:${port}`;
  for (const path of paths) {
    for (const headers of [
      ['Host: evil.test'],
      [`Host: localhost.evil.test:${port}`],
      [own, own],
      [own, 'Origin: https://evil.test'],
      [own, 'Origin: null'],
      [own, 'Origin: http://localhost:9999'],
      [own, 'Sec-Fetch-Site: cross-site'],
    ]) {
      const lines = [`POST ${path} HTTP/1.1`, ...headers, 'Content-Type: application/json', 'Content-Length: 0'];
      const answer = await rawExchange(port, lines);
      expect({ path, headers, answer: answer.slice(0, 12) }).toEqual({
        path,
        headers,
        answer: expect.stringMatching(/^HTTP\/1.1 40[03]$/),
      });
      expect(answer.toLowerCase()).not.toContain('access-control-allow-origin');
    }
    const preflight = ['Access-Control-Request-Method: POST', 'Access-Control-Request-Private-Network: true'];
    const asked = await rawExchange(port, [`OPTIONS ${path} HTTP/1.1`, own, 'Origin: https://evil.test', ...preflight]);
    expect(asked).toMatch(/^HTTP\/1.1 403/);
    const upgrade = await rawExchange(port, [
      `GET ${path} HTTP/1.1`,
      own,
      'Upgrade: websocket',
      'Sec-WebSocket-Key: x',
    ]);
    expect(upgrade).toMatch(/^HTTP\/1.1 405/);
  }
});

test('the OpenAPI document is served, and unknown paths have errors of the same form', async () => {
  verifies('Q-08', 'Q-11', 'S67', 'S69', 'GAP-62');
  await using server = await createServer({ store: 'memory:', token });
  const { url } = await server.listen({ port: 0 });
  const document = Object(await (await fetch(`${url}/openapi.json`)).json());
  expect(document.info.version).toBe(manifest.version);
  expect(document).toMatchObject({ openapi: '3.1.0' });
  expect(paths.filter((path) => document.paths[path] === undefined)).toEqual([]);
  for (const path of [
    '/api',
    '/api/',
    '/api/session/',
    '/api/chat/stream/x',
    '/static../secret',
    '/@fs/etc/passwd?raw??',
    '/api/session%2fget',
  ]) {
    const answer = await jsonPost(url + path, '{}');
    expect({ path, status: answer.status }).toEqual({ path, status: 404 });
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(chatErrorSchema.parse(await answer.json())).toMatchObject({ error: 'Not found', code: 'unknown_route' });
  }
});

test('a page of a listed origin may read responses, including errors, and no other page may', async () => {
  verifies('S60');
  const origin = 'https://app.example:8443';
  await using server = await createServer({ store: 'memory:', token, requireAuth: true, origins: [origin] });
  const { url } = await server.listen({ port: 0 });
  const asking = {
    origin,
    'sec-fetch-site': 'cross-site',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,last-event-id',
    'access-control-request-private-network': 'true',
  };
  for (const path of [...paths, '/api/v1/cloud/sessions', '/health']) {
    const preflight = await fetch(url + path, { method: 'OPTIONS', headers: asking });
    expect([path, preflight.status]).toEqual([path, 204]);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': expect.stringContaining('POST'),
      'access-control-allow-headers': expect.stringMatching(/Authorization.*Last-Event-ID/),
      'access-control-allow-private-network': 'true',
    });
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
    const refused = await jsonPost(url + path, '{}', { origin });
    expect([path, refused.headers.get('access-control-allow-origin')]).toEqual([path, origin]);
    expect(refused.headers.get('vary')?.toLowerCase()).toContain('origin');
  }
  const headers = { authorization: `Bearer ${token}`, origin, 'content-type': 'application/json' };
  const created = await fetch(`${url}/api/v1/cloud/sessions`, { method: 'POST', headers, body: '{}' });
  const { id } = z.object({ id: z.string() }).parse(await created.json());
  const stream = await fetch(`${url}/api/v1/cloud/sessions/${id}/events/stream`, { headers });
  expect([stream.status, stream.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
  await stream.body?.cancel();

  for (const other of ['https://evil.test', 'https://app.example', 'null']) {
    const preflight = await fetch(`${url}/health`, { method: 'OPTIONS', headers: { ...asking, origin: other } });
    expect([other, preflight.status]).toEqual([other, 403]);
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
  }
  const own = await fetch(`${url}/health`, { headers: { origin: url } });
  expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([200, null]);
});
