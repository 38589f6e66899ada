import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer as createTcpServer } from 'node:net';
import { promisify } from 'node:util';
import { verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { startGuardedServer } from '../../test/guarded-server.js';
import { createServer } from '../app/create-server.js';
import { sameUserGuard } from './same-user-guard.js';
import { SocketOwners } from './socket-owner.js';

const run = promisify(execFile);
const SOMEBODY = 12_345;
const userId = process.getuid?.() ?? -1;

/** What another user of this machine gets for a request. Only root can switch users. */
async function statusFor(uid: number, url: string): Promise<number> {
  // It becomes the other user only once it runs: that user may not be able to reach our Node.js.
  const script = `
    process.setgroups([]);
    process.setgid(${uid});
    process.setuid(${uid});
    fetch(${JSON.stringify(url)}).then((answer) => process.stdout.write(String(answer.status)));`;
  const { stdout } = await run(process.execPath, ['-e', script]);
  return Number(stdout);
}

describe.runIf(process.platform === 'linux')('the user at the other end of the connection', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::1', '::1'],
    ['::', '127.0.0.1'],
    ['127.0.0.1', '::ffff:127.0.0.1'],
  ])('a server at %s and a client to %s', async (serverHost, clientHost) => {
    const server = createTcpServer().listen(0, serverHost);
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const client = connect(address.port, clientHost);
    const [[socket]] = await Promise.all([once(server, 'connection'), once(client, 'connect')]);
    const { remoteAddress, remotePort, localAddress, localPort } = socket;
    const owners = new SocketOwners();
    const connection = { remoteAddress, remotePort, localAddress, localPort };
    expect(await owners.ownerOf(connection)).toBe(userId);
    expect(await owners.ownerOf({ ...connection, remotePort: 1 })).toBeUndefined();
    client.destroy();
    await once(socket.resume(), 'close');
    // The kernel shows sockets without an owner as those of root.
    expect(await owners.ownerOf(connection)).toBeUndefined();
    server.close();
  });

  test('programs of the same user are accepted, also repeatedly on one connection', async () => {
    await using server = await startGuardedServer(() => [sameUserGuard()]);
    for (const _ of [1, 2]) expect((await fetch(`${server.url}/echo`)).status).toBe(200);
  });

  test('programs of other users are refused', async () => {
    verifies('S63');
    await using server = await startGuardedServer(() => [sameUserGuard({ userId: SOMEBODY })]);
    expect((await fetch(`${server.url}/echo`)).status).toBe(403);
    expect(server.reached).toEqual([]);
  });

  test.runIf(userId === 0)(
    'a child process of another user is refused here and accepted by its own server',
    async () => {
      verifies('S63');
      await using ours = await startGuardedServer(() => [sameUserGuard()]);
      await using theirs = await startGuardedServer(() => [sameUserGuard({ userId: SOMEBODY })]);
      expect(await statusFor(SOMEBODY, `${ours.url}/echo`)).toBe(403);
      expect(await statusFor(SOMEBODY, `${theirs.url}/echo`)).toBe(200);
      expect(ours.reached).toEqual([]);
    },
  );

  test.runIf(userId === 0)('with tokens on every route, a proxy may run as another user', async () => {
    const server = await createServer({ store: 'memory:', token: 'a-token-of-this-test', requireAuth: true });
    const { url } = await server.listen({ port: 0 });
    expect(await statusFor(SOMEBODY, `${url}/ready`)).toBe(200);
    expect(await statusFor(SOMEBODY, `${url}/api/chat/history`)).toBe(401);
    await server.close();
  });
});
