import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { resourceBaseline, verifies } from '@qwen/testkit';
import { Hono } from 'hono';
import { afterAll, describe, expect, test } from 'vitest';
import { rawExchange } from '../../test/raw-exchange.js';
import { createServer } from '../app/create-server.js';
import { HttpListener, LISTENER_LIMITS, type ListenerLimits } from './http-listener.js';
import type { SurfaceApp } from './surface.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

const token = 'a-token-of-at-least-16-characters';

async function listen(limits: Partial<ListenerLimits>) {
  const app: SurfaceApp = new Hono();
  app.get('/health', (context) => context.text('fine'));
  app.get('/stream', () => new Response(new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from('on')) })));
  const all = { ...LISTENER_LIMITS, checkIntervalMs: 50, ...limits };
  const listener = await HttpListener.open({ port: 0, host: '127.0.0.1', limits: all }, () => app);
  return { port: listener.port, [Symbol.asyncDispose]: () => listener.close() };
}

/** A connection that is there, with what was written to it. */
async function openSocket(port: number, text = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  if (text !== '') socket.write(text);
  return socket;
}

/** Resolves when it is gone, by a reset too. */
const closed = (socket: Socket) => new Promise<void>((resolve) => socket.resume().once('close', () => resolve()));

const times = <Result>(count: number, work: () => Promise<Result>) => Promise.all(Array.from({ length: count }, work));
const ask = (port: number) => rawExchange(port, ['GET /health HTTP/1.1', `Host: 127.0.0.1:${port}`]);

describe('connections that try to exhaust the server', () => {
  test('500 clients that send a byte at a time: others are served meanwhile, and all 500 are disconnected', async () => {
    verifies('S72', 'F134');
    await using server = await listen({ headersMs: 1500 });
    const slow = await times(500, () => openSocket(server.port, 'GET /health HTTP/1.1\r\nX-Slow: '));
    const drip = setInterval(() => {
      for (const socket of slow) socket.write('x');
    }, 100);
    const gone = Promise.all(slow.map((socket) => closed(socket)));
    for (let round = 0; round < 20; round += 1) expect(await ask(server.port)).toMatch(/^HTTP\/1\.1 200/);
    await gone;
    clearInterval(drip);
  });

  test('5,000 silent connections: the oldest are closed, requests are answered, and a stream continues', async () => {
    verifies('S72');
    const maxConnections = 512;
    await using server = await listen({ maxConnections });
    const stream = await openSocket(server.port, `GET /stream HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`);
    await once(stream, 'data');
    const open = new Set<Socket>();
    for (let round = 0; round < 50; round += 1) {
      const some = await times(100, () => openSocket(server.port));
      for (const socket of some) {
        open.add(socket);
        socket.resume().once('close', () => open.delete(socket));
      }
      expect(await ask(server.port)).toMatch(/^HTTP\/1\.1 200/);
    }
    await expect.poll(() => open.size).toBeLessThan(maxConnections);
    expect(stream.closed).toBe(false);
    for (const socket of [stream, ...open]) socket.destroy();
  });

  test('when all connections are busy, a new one is closed', async () => {
    verifies('S72');
    await using server = await listen({ maxConnections: 2 });
    const head = `GET /stream HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`;
    const streams = await times(2, () => openSocket(server.port, head));
    await Promise.all(streams.map((socket) => once(socket, 'data')));
    const late = await openSocket(server.port);
    await closed(late);
    expect(streams.map((stream) => stream.closed)).toEqual([false, false]);
    // A place that is left is taken again.
    const [first, second] = streams;
    first?.destroy();
    await expect.poll(() => ask(server.port).catch(String)).toMatch(/^HTTP\/1\.1 200/);
    second?.destroy();
  });
});

describe('ambiguous requests', () => {
  const body = '{"message":"x"}';
  test.each([
    [
      'two ways to say how long',
      ['Transfer-Encoding: chunked', 'Content-Length: 5', '', '0', '', 'GET /hidden HTTP/1.1'],
    ],
    ['two lengths', ['Content-Length: 5', 'Content-Length: 6', '', '12345']],
    ['a length that is none', ['Content-Length: +5', '', '12345']],
    ['a coding that is none', ['Transfer-Encoding: chunked, identity', '', body]],
    ['a space before the colon', ['Content-Length : 5', '', '12345']],
    ['a name with a line break of old times', ['Content-Type: application/json', ' folded: yes', 'X\rY: 1', '', '']],
    ['a bare carriage return in a value', ['Last-Event-ID: 1\rSet-Cookie: a=b', '', '']],
    ['NUL in a value', ['Last-Event-ID: 1\0', '', '']],
  ])('%s', async (_, lines) => {
    verifies('S73');
    await using server = await createServer({ store: 'memory:', token });
    const { port } = await server.listen({ port: 0 });
    const head = ['POST /api/session HTTP/1.1', `Host: 127.0.0.1:${port}`];
    const answer = await rawExchange(port, [...head, ...lines]);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    // One answer, and the connection is closed: nothing behind the first request is read as another one.
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(await server.core.sessions.count()).toBe(0);
  });

  test('line breaks in an ID appear in no header and produce no second response', async () => {
    verifies('S73');
    await using server = await createServer({ store: 'memory:', token });
    const { url } = await server.listen({ port: 0 });
    const authorization = `Bearer ${token}`;
    const { id } = Object(
      await (
        await fetch(`${url}/api/v1/cloud/sessions`, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: '{}',
        })
      ).json(),
    );
    const evil = '%0d%0aSet-Cookie:%20a=b%0d%0a%0d%0aHTTP/1.1%20200%20OK';
    for (const [path, lastEventId] of [
      [`/api/v1/cloud/sessions/${evil}/events/stream`, '0'],
      [`/api/v1/cloud/sessions/${String(id)}/events/stream`, evil],
    ] as const) {
      const answer = await fetch(url + path, { headers: { authorization, 'last-event-id': lastEventId } });
      expect([400, 404]).toContain(answer.status);
      expect(answer.headers.get('set-cookie')).toBeNull();
      expect(await answer.text()).not.toContain('\r\n');
    }
  });
});
