import { request } from 'node:http';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { NetworkProxy } from './network-proxy.js';

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
