import { symlink } from 'node:fs/promises';
import { createServer as createNetServer } from 'node:net';
import {
  isolatedEnvironment,
  resourceBaseline,
  says,
  startScriptedModel,
  temporaryFolder,
  verifies,
} from '@qwen/testkit';
import { Hono } from 'hono';
import { afterAll, describe, expect, test } from 'vitest';
import { createServer } from '../src/app/create-server.js';
import type { ServerOptions } from '../src/app/server-options.js';
import { rawExchange } from './raw-exchange.js';
import { eventsUntil, ofType } from './served-core.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

const token = 'a-token-of-at-least-16-characters';
const inMemory: ServerOptions = { store: 'memory:', token };
const anywhere = { port: 0 };

const post = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: '{}' });

describe('health', () => {
  test('the process answers with its start time', async () => {
    verifies('Q-17', 'Q-18', 'CF-58', 'GAP-63', 'Q-13');
    await using server = await createServer(inMemory);
    const { url } = await server.listen(anywhere);
    for (const ask of [() => fetch(`${url}/health`), () => post(`${url}/health`)]) {
      const answer = await ask();
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toContain('application/json');
      const isoWithMs = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(await answer.json()).toEqual({ status: 'ok', timestamp: isoWithMs, uptime: 0 });
    }
  });

  test('it is ready and reports the number of sessions', async () => {
    verifies('Q-19', 'GAP-83');
    await using server = await createServer(inMemory);
    const { url } = await server.listen(anywhere);
    await server.core.sessions.create({ hasIncrements: true });
    const body = await (await fetch(`${url}/ready`)).json();
    expect(body).toEqual({ status: 'ready', timestamp: expect.any(String), sessions: 1 });
  });
});

test.runIf(process.platform === 'linux')('a full disk makes the server unready', async () => {
  await using folder = await temporaryFolder();
  await using server = await createServer({ store: folder.path, token });
  const { url } = await server.listen(anywhere);
  await symlink('/dev/full', folder.resolve('sessions.sqlite.probe'));
  const answer = await fetch(`${url}/ready`);
  expect(answer.status).toBe(507);
  expect(JSON.stringify(await answer.json())).not.toContain(folder.path);
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

test('the page suggests no commands of the terminal', async () => {
  await using server = await createServer(inMemory);
  const { url } = await server.listen(anywhere);
  const { id: sessionId } = await server.core.sessions.create({ hasIncrements: true });
  const answer = await fetch(`${url}/api/hints`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sessionId, trigger: 'slash', text: '/', cursor: 1 }),
  });
  const text = JSON.stringify(await answer.json());
  for (const name of ['compress', 'model', 'help']) expect(text).toContain(`"${name}`);
  for (const name of ['theme', 'quit', 'editor', 'corgi', 'copy', 'clear']) expect(text).not.toContain(`"${name}`);
});

describe('guards', () => {
  test('every path is guarded, even unknown ones', async () => {
    verifies('S61', 'S60', 'S59', 'GAP-60');
    await using server = await createServer(inMemory);
    const { port } = await server.listen(anywhere);
    for (const path of ['/', '/health', '/ready', '/api/session', '/api/v1/cloud/sessions', '/nothing/here']) {
      const ask = (...headers: string[]) => rawExchange(port, [`GET ${path} HTTP/1.1`, ...headers]);
      expect(await ask('Host: evil.test')).toMatch(/^HTTP\/1.1 403/);
      expect(await ask(`Host: localhost:${port}`, 'Origin: https://evil.test')).toMatch(/^HTTP\/1.1 403/);
      expect(await ask(`Host: localhost:${port}`, 'Sec-Fetch-Site: cross-site')).toMatch(/^HTTP\/1.1 403/);
      expect(await ask(`Host: localhost:${port}`)).not.toMatch(/^HTTP\/1.1 403/);
    }
  });

  test('loopback answers under each of its names', async () => {
    verifies('F138');
    await using server = await createServer(inMemory);
    const { port } = await server.listen(anywhere);
    for (const host of ['localhost', 'LOCALHOST', '127.0.0.1', '[::1]']) {
      expect(await rawExchange(port, ['GET /health HTTP/1.1', `Host: ${host}:${port}`])).toMatch(/^HTTP\/1.1 200/);
    }
  });

  test('with requireAuth only the health checks answer without the token', async () => {
    verifies('S55');
    await using server = await createServer({ ...inMemory, requireAuth: true });
    const { url } = await server.listen(anywhere);
    for (const path of ['/api/session', '/api/sessions/list', '/api/chat/stream', '/nothing/here']) {
      const answer = await post(`${url}${path}`);
      expect([path, answer.status]).toEqual([path, 401]);
      expect(answer.headers.get('www-authenticate')).toContain('Bearer');
      expect((await post(`${url}${path}`, { authorization: `Bearer ${token}` })).status).not.toBe(401);
    }
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect((await fetch(`${url}/ready`)).status).toBe(200);
  });

  test('unknown paths, invalid JSON and large bodies are reported as such', async () => {
    verifies('GAP-62', 'S58', 'S64');
    await using server = await createServer({ ...inMemory, maxBodyBytes: 100 });
    const { url, port } = await server.listen(anywhere);
    const missing = await fetch(`${url}/nothing/here`);
    expect(missing.status).toBe(404);
    expect(missing.headers.get('x-content-type-options')).toBe('nosniff');
    const form = await fetch(`${url}/api/session`, { method: 'POST', body: new URLSearchParams({ a: 'b' }) });
    expect(form.status).toBe(415);
    const long = await fetch(`${url}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ metadata: { text: 'x'.repeat(200) } }),
    });
    expect(long.status).toBe(413);
    const upgrade = ['GET /health HTTP/1.1', `Host: localhost:${port}`, 'Connection: Upgrade', 'Upgrade: websocket'];
    expect(await rawExchange(port, upgrade)).not.toMatch(/^HTTP\/1.1 101/);
  });
});

describe('listening', () => {
  test('an address in use is an error that names it', async () => {
    verifies('F131');
    const other = createNetServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await using server = await createServer(inMemory);
    await expect(server.listen({ port })).rejects.toMatchObject({
      code: 'address_unavailable',
      message: expect.stringContaining(String(port)),
    });
    await new Promise((resolve) => other.close(resolve));
    const { url } = await server.listen(anywhere);
    expect((await fetch(`${url}/health`)).status).toBe(200);
  });

  test('an address that other machines reach requires the token on every route', async () => {
    verifies('S62', 'GAP-60');
    await using open = await createServer(inMemory);
    await expect(open.listen({ ...anywhere, host: '0.0.0.0' })).rejects.toMatchObject({ code: 'usage' });
    await using locked = await createServer({ ...inMemory, requireAuth: true });
    const { port } = await locked.listen({ ...anywhere, host: '0.0.0.0' });
    const answer = await rawExchange(port, [`POST /api/sessions/list HTTP/1.1`, `Host: 127.0.0.1:${port}`]);
    expect(answer).toMatch(/^HTTP\/1.1 401/);
  });

  test('two servers cannot share one folder', async () => {
    await using folder = await temporaryFolder();
    const options = { store: folder.resolve('state'), token };
    await using _first = await createServer(options);
    await expect(createServer(options)).rejects.toMatchObject({ code: 'storage_busy' });
    await expect(createServer({ store: 'relative/folder', token })).rejects.toMatchObject({ code: 'usage' });
  });
});

test('it can be part of another app, which sets the names that it is reached by', async () => {
  verifies('GAP-61');
  await using server = await createServer({ ...inMemory, hosts: ['app.example'] });
  const app = new Hono();
  app.mount('/', (request) => server.fetch(request));
  const ask = (host: string) => app.request('http://app.example/health', { headers: { host } });
  expect((await ask('app.example')).status).toBe(200);
  expect((await ask('evil.test')).status).toBe(403);
});

test('a server that is closed does not listen', async () => {
  const server = await createServer(inMemory);
  const listening = server.listen(anywhere);
  await server.close();
  await expect(listening).rejects.toMatchObject({ code: 'shutting_down' });
  await expect(server.listen(anywhere)).rejects.toMatchObject({ code: 'shutting_down' });
});

test('closing notifies followers of sessions and accepts nothing new', async () => {
  verifies('F132');
  await using folder = await temporaryFolder();
  await using model = await startScriptedModel([says('word '.repeat(2000))], { tokensPerSecond: 50 });
  const server = await createServer({
    store: folder.resolve('state'),
    token,
    workspace: folder.path,
    launch: { env: isolatedEnvironment(folder.resolve('home'), model.env) },
  });
  const { url } = await server.listen(anywhere);
  const { sessions } = server.core;
  const session = await sessions.create({ hasIncrements: true });
  await sessions.send(session.id, { content: 'talk' });
  await eventsUntil(sessions, session.id, ofType('agent.content_block_delta'));
  using follower = await sessions.log.attach(session.id);
  const ending = server.close({ graceMs: 0 });
  await expect(sessions.send(session.id, { content: 'x' })).rejects.toMatchObject({ code: 'shutting_down' });
  await ending;
  const types: string[] = [];
  for (let items = await follower.take(); items.length > 0; items = await follower.take()) {
    for (const item of items) types.push(item.kind === 'event' ? item.event.type : item.kind);
  }
  expect(types.at(-1)).toBe('end');
  await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed');
});

test('an allowed origin that any page can have, or that no page has, is refused', async () => {
  const wrong = [
    'null',
    '*',
    'file://',
    'app.example',
    'https://app.example/',
    'https://a.example/x',
    'HTTPS://a.example',
  ];
  for (const origin of [...wrong, 'https://user@a.example', 'https://a.example:443', 'https://*.example/', '']) {
    const refused = { code: 'usage', message: expect.stringContaining(`The allowed origin ${origin} is invalid`) };
    await expect(createServer({ ...inMemory, origins: [origin] }), origin).rejects.toMatchObject(refused);
  }
  const origins = ['https://a.example:8443', 'http://localhost:5173', 'chrome-extension://abcdef', 'tauri://localhost'];
  const server = await createServer({ ...inMemory, origins });
  await server.close();
});
