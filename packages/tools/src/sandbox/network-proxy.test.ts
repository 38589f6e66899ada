import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { NetworkProxy, type NetworkProxyOptions } from './network-proxy.js';

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const LISTS = { allowed: ['127.0.0.1'], denied: [] };

function openProxy(options: Partial<NetworkProxyOptions> = {}): Promise<number> {
  return listen(new NetworkProxy({ lists: LISTS, ...options }).server);
}

/** Sends the bytes without waiting for an answer, as some clients do. */
function send(to: number | string, bytes: string): Socket {
  const socket = connect({ ...(typeof to === 'string' ? { path: to } : { port: to }), allowHalfOpen: true });
  socket.write(bytes);
  return socket;
}

const connectTo = (port: number) => `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`;

test('a client that reads late gets all that a site sent before it closed the connection', async () => {
  await using folder = await temporaryFolder();
  const path = folder.resolve('proxy');
  const proxy = new NetworkProxy({ lists: LISTS }).server.listen(path);
  await using _closed = { [Symbol.asyncDispose]: async () => void proxy.close() };
  const echo = await listen(createServer((socket) => socket.once('data', (bytes) => socket.end(bytes))));
  // Some of the sizes fill the buffer of the system, but not that of the stream.
  for (let size = 128 * 1024; size < 640 * 1024; size += 8 * 1024) {
    const site = await listen(createServer((socket) => socket.end(Buffer.alloc(size))));
    const client = send(path, connectTo(site));
    for (let count = 0; count < 3; count += 1) await text(send(path, `${connectTo(echo)}hello`));
    const bytes = await buffer(client);
    expect(bytes.length - bytes.indexOf('\r\n\r\n') - 4).toBe(size);
    client.destroy();
  }
});

test('bytes that follow a CONNECT request directly reach the site', async () => {
  const site = await listen(createServer((socket) => socket.once('data', (bytes) => socket.end(bytes))));
  const client = send(await openProxy(), `${connectTo(site)}hello`);
  expect(await text(client)).toMatch(/ 200 .*\r\n\r\nhello$/s);
});

test('a response that the site breaks off breaks off for the client', async () => {
  const site = await listen(
    createServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')),
    ),
  );
  const asked = request({ port: await openProxy(), host: '127.0.0.1', path: `http://127.0.0.1:${site}/` }).end();
  const [answer] = await once(asked, 'response');
  await expect(buffer(answer)).rejects.toThrow('aborted');
});

test.for(['HTTP/1.1 099 ?\r\n\r\n', 'HTTP/1.1 101 OK\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', ''])(
  'a response that cannot be forwarded becomes status 502: %j',
  async (response) => {
    const site = await listen(createServer((socket) => socket.once('data', () => socket.end(response))));
    const asked = request({ port: await openProxy(), host: '127.0.0.1', path: `http://127.0.0.1:${site}/` }).end();
    const [answer] = await once(asked, 'response');
    expect(answer.statusCode).toBe(502);
  },
);

test('a command that ended during the question about a host does not connect to it', async () => {
  let connections = 0;
  const site = await listen(createServer((socket) => socket.end(`connection ${++connections}`)));
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<boolean>();
  const proxy = new NetworkProxy({
    lists: { allowed: [], denied: [] },
    ask: () => {
      asked.resolve();
      return answer.promise;
    },
  });
  const port = await listen(proxy.server);
  const inner = once(proxy.server, 'request');
  const client = send(port, `GET http://127.0.0.1:${site}/ HTTP/1.1\r\nHost: x\r\n\r\n`);
  const [, response] = await inner;
  await asked.promise;
  client.destroy();
  await once(response, 'close');
  answer.resolve(true);
  expect(await text(send(port, connectTo(site)))).toMatch(/connection 1$/);
});

test('connections above the limit are closed, and the others stay', async () => {
  const site = await listen(createServer((socket) => socket.once('data', (bytes) => socket.end(bytes))));
  const port = await openProxy();
  const clients = Array.from({ length: 300 }, () => send(port, connectTo(site)));
  const opened = await Promise.all(
    clients.map((client) =>
      Promise.race([once(client, 'data').then(() => true), once(client, 'close').then(() => false)]).catch(() => false),
    ),
  );
  expect(opened.filter(Boolean)).toHaveLength(256);
  clients[0]?.write('hello');
  expect(String(await once(clients[0] as Socket, 'data'))).toBe('hello');
  for (const client of clients) client.destroy();
});

async function statusOf(proxy: NetworkProxy, host: string): Promise<number | undefined> {
  const address = proxy.server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: `http://${host}/`, agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    });
    sent.once('error', reject).end();
  });
}

test('a command cannot flood the user with questions', async () => {
  verifies('S115');
  const asked: string[] = [];
  const hosts = Array.from({ length: 40 }, (_, index) => `h${index}.test`);
  const arrived = Promise.withResolvers<void>();
  let requests = 0;
  let open = 0;
  let most = 0;
  const ask = async (host: string) => {
    asked.push(host);
    open += 1;
    most = Math.max(most, open);
    if (host.startsWith('h')) await arrived.promise;
    open -= 1;
    return false;
  };
  const proxy = new NetworkProxy({ lists: { allowed: [], denied: ['denied.test'] }, ask });
  await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
  try {
    expect(await statusOf(proxy, 'denied.test')).toBe(403);
    expect(asked).toEqual([]);
    const same = await Promise.all(['a.test', 'a.test', 'A.test.'].map((host) => statusOf(proxy, host)));
    expect(same).toEqual([403, 403, 403]);
    proxy.server.on('request', () => {
      requests += 1;
      if (requests === hosts.length) arrived.resolve();
    });
    const statuses = await Promise.all(hosts.map((host) => statusOf(proxy, host)));
    expect(new Set(statuses)).toEqual(new Set([403]));
    expect(most).toBe(1);
    expect(asked.filter((host) => host.startsWith('h')).length).toBe(8);
    expect(proxy.takeBlocked()).toEqual(expect.arrayContaining(['denied.test', 'a.test', 'h0.test', 'h39.test']));
  } finally {
    proxy.server.close();
  }
});

test('an approved name that leads into a private network stays blocked', async () => {
  verifies('S115');
  const proxy = new NetworkProxy({ lists: { allowed: ['*'], denied: [] }, ask: () => Promise.resolve(true) });
  await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
  try {
    for (const host of ['localhost', '127.0.0.1', '169.254.169.254', '[::ffff:127.0.0.1]', '0x7f.1']) {
      expect(`${host}: ${await statusOf(proxy, host)}`).toBe(`${host}: 403`);
    }
  } finally {
    proxy.server.close();
  }
});
