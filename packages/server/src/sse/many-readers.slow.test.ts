import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { resourceBaseline, temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { bytesInUse } from '../../test/bytes-in-use.js';
import { startEventServer } from '../../test/event-server.js';
import { filled, numbered, upTo } from '../../test/log-readers.js';
import { RawClient } from '../../test/raw-client.js';
import type { EventLogOptions } from '../log/event-log.js';
import { openEventLog } from '../log/open-event-log.js';

const MB = 1024 * 1024;

async function openLog(place = 'memory:', options?: EventLogOptions) {
  const log = await openEventLog(place, options);
  return Object.assign(log, { [Symbol.asyncDispose]: () => log.close() });
}

/** A client that has asked for the events of a session. */
async function follow(port: number, path: string): Promise<RawClient> {
  const client = await RawClient.connect(port);
  client.get(path);
  return client;
}

/** A client that has asked for everything and takes none of it. */
async function followAndSleep(port: number, path: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nLast-Event-ID: 0\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

test('1,000 readers of one session: those beyond the limit are refused, and a free slot is reused', {
  timeout: 60_000,
}, async () => {
  verifies('S75');
  await using log = await openLog();
  await filled(log, 'a', 1);
  await using server = await startEventServer(log);
  const clients = await Promise.all(upTo(1000).map(() => follow(server.port, '/a')));
  const statuses = await Promise.all(clients.map((client) => client.status()));
  expect(statuses.filter((status) => status === 200)).toHaveLength(256);
  expect(statuses.filter((status) => status === 429)).toHaveLength(744);
  for (const client of clients) client.socket.destroy();
  await server.closedConnections(1000);
  using late = await follow(server.port, '/a');
  expect(await late.status()).toBe(200);
});

test('1,000 idle readers cost little, and 200 busy ones among them miss nothing', { timeout: 60_000 }, async () => {
  verifies('F149');
  await using log = await openLog();
  for (const session of upTo(10)) await filled(log, `idle${session}`, 1);
  await filled(log, 'busy', 1);
  await using server = await startEventServer(log);
  const before = bytesInUse();
  const idle = await Promise.all(upTo(1000).map((index) => follow(server.port, `/idle${(index % 10) + 1}`)));
  await Promise.all(idle.map((client) => client.until('id: 1\n')));
  // Both ends of the connection are in this process.
  expect(bytesInUse() - before).toBeLessThan(1000 * 100_000);
  const busy = await Promise.all(upTo(200).map(() => follow(server.port, '/busy')));
  await Promise.all(busy.map((client) => client.until('id: 1\n')));
  for (let seq = 2; seq <= 300; seq += 1) await log.append('busy', numbered(seq, seq));
  for (const client of busy) {
    const text = await client.until('id: 300\n');
    expect([...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))).toEqual(upTo(300));
  }
  for (const client of idle) expect(client.received).not.toContain('id: 2\n');
  for (const client of [...idle, ...busy]) client.socket.destroy();
});

test('100 unread replays of 100 MB use little memory, and one that is read is complete', {
  timeout: 120_000,
}, async () => {
  verifies('S75');
  await using folder = await temporaryFolder();
  await using log = await openLog(folder.resolve('events.sqlite'));
  await log.create('a');
  const data = JSON.stringify('x'.repeat(64 * 1024));
  for (const _ of upTo(16)) {
    await log.append(
      'a',
      upTo(100).map(() => ({ type: 'count', data })),
    );
  }
  await using server = await startEventServer(log);
  const before = bytesInUse();
  const sleepers = await Promise.all(upTo(100).map(() => followAndSleep(server.port, '/a')));
  // Each may have one take on its way, of 10 000 MB that all of them want.
  expect(bytesInUse() - before).toBeLessThan(160 * MB);
  for (const socket of sleepers) socket.destroy();
  using reader = await follow(server.port, '/a');
  let bytes = 0;
  reader.socket.removeAllListeners('data').on('data', (chunk: string) => {
    bytes += chunk.length;
    if (chunk.includes('id: 1600\n')) reader.socket.destroy();
  });
  await reader.closed;
  expect(bytes).toBeGreaterThan(99 * MB);
});

test('10,000 clients that leave without notice leave nothing behind', { timeout: 180_000 }, async () => {
  verifies('F124', 'S75');
  await using log = await openLog();
  await filled(log, 'a', 1);
  await using server = await startEventServer(log);
  const visit = async () => {
    using client = await RawClient.connect(server.port);
    client.get('/a');
    await client.until('id: 1\n');
  };
  let visits = 0;
  const visitOften = async (count: number) => {
    visits += count;
    const many = upTo(20).map(async () => {
      for (let done = 0; done < count / 20; done += 1) await visit();
    });
    await Promise.all(many);
    await server.closedConnections(visits);
  };
  await visitOften(2000);
  const resources = resourceBaseline();
  const bytes = bytesInUse();
  await visitOften(10_000);
  await resources.assertUnchanged();
  expect(bytesInUse() - bytes).toBeLessThan(20 * 1024 * 1024);
});
