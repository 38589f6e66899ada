import { readFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { describe, expect, test } from 'vitest';
import { startGuardedServer } from '../../test/guarded-server.js';
import { sameUserGuard } from './same-user-guard.js';
import { SocketOwners } from './socket-owner.js';

const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';
const connection = { remoteAddress: '127.0.0.1', remotePort: 8080, localAddress: '127.0.0.1', localPort: 3000 };
const holds = (uid: number, inode: number) =>
  `${HEAD}\n   0: 0100007F:1F90 0100007F:0BB8 01 00000000:00000000 00:00000000 00000000  ${uid}        0 ${inode} 1 0 20 4 30 10 -1\n`;

test('requests during a read of the tables share the next read', async () => {
  const reads = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  let started = 0;
  const owners = new SocketOwners(() => reads[started++]?.promise ?? Promise.reject(new Error('read too often')));
  const first = owners.ownerOf(connection);
  const later = [owners.ownerOf(connection), owners.ownerOf(connection)];
  expect(started).toBe(1);
  reads[0]?.resolve(holds(1000, 7));
  expect(await first).toBe(1000);
  // The port has got another holder in between: the old tables would have said 1000.
  reads[1]?.resolve(holds(2000, 8));
  expect(await Promise.all(later)).toEqual([2000, 2000]);
  expect(started).toBe(2);
});

test('a socket missing from one read is looked up again, and one without an owner has none', async () => {
  const tables = [HEAD, holds(1000, 7)];
  const missed = new SocketOwners(async () => tables.shift() ?? HEAD);
  expect(await missed.ownerOf(connection)).toBe(1000);
  const orphan = new SocketOwners(async () => holds(0, 0));
  expect(await orphan.ownerOf(connection)).toBeUndefined();
});

test('a failed read fails only the requests that wait for it', async () => {
  const reads = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  let started = 0;
  const owners = new SocketOwners(() => reads[started++]?.promise ?? Promise.resolve(holds(3000, 9)));
  const unlucky = owners.ownerOf(connection);
  const next = owners.ownerOf(connection);
  reads[0]?.reject(new Error('no table'));
  await expect(unlucky).rejects.toThrow('no table');
  reads[1]?.resolve(holds(2000, 8));
  expect(await next).toBe(2000);
  expect(await owners.ownerOf(connection)).toBe(3000);
});

describe.runIf(process.platform === 'linux')('many connections', () => {
  test('500 simultaneous connections are accepted with few reads', async () => {
    let looks = 0;
    const readTables = async () => {
      looks += 1;
      return `${await readFile('/proc/net/tcp', 'latin1')}\n${await readFile('/proc/net/tcp6', 'latin1')}`;
    };
    await using server = await startGuardedServer(() => [sameUserGuard({ readTables })]);
    const agent = new Agent({ keepAlive: true, maxSockets: 500 });
    const statuses = await Promise.all(Array.from({ length: 500 }, () => statusOf(`${server.url}/echo`, agent)));
    agent.destroy();
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(looks).toBeLessThan(100);
  });
});

function statusOf(url: string, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => response.resume().on('end', () => resolve(response.statusCode))).on(
      'error',
      reject,
    );
  });
}
