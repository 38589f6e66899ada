import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { assertReachable, assertSafeUrl } from './address-check.js';
import { checkedFetch } from './checked-fetch.js';

const PUBLIC = 'https://93.184.216.34/';
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'public.test': ['93.184.216.34', '2606:2800:220:1::1'],
  'half.test': ['93.184.216.34', '10.1.2.3'],
  'private.test': ['192.168.1.1'],
  'metadata.test': ['169.254.169.254'],
  'six.test': ['fd12::1'],
  'localhost.': ['127.0.0.1'],
};
const resolveHost = async (host: string) => NAMES[host] ?? [];
const reaches = (url: string, server = PUBLIC) =>
  assertReachable(new URL(url), new URL(server), resolveHost).then(
    () => true,
    (error: { code: string }) => error.code !== 'mcp_failed',
  );

test.each([
  'https://127.0.0.1/',
  'https://127.9.9.9/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://localhost/',
  'https://LOCALHOST:8443/',
  'https://x.localhost/',
  'https://localhost./',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::ffff:a9fe:a9fe]/',
  'https://[::127.0.0.1]/',
  'https://0.0.0.0/',
  'https://[::]/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.0.1/',
  'https://100.64.0.1/',
  'https://100.100.100.200/',
  'https://169.254.169.254/latest/meta-data/',
  'https://192.0.0.192/',
  'https://198.18.0.1/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://[fe80::1]/',
  'https://[fec0::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fc00::1]/',
  'https://[64:ff9b::a9fe:a9fe]/',
  'https://[64:ff9b:1::a00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:0:a00:1::]/',
  'https://[ff02::1]/',
  'https://private.test/',
  'https://half.test/',
  'https://metadata.test/',
  'https://six.test/',
])('a server of the public network must not use %s', async (url) => {
  verifies('S99');
  expect(await reaches(url)).toBe(false);
  expect(await reaches(url, 'https://public.test/mcp')).toBe(false);
});

test.each([
  ['https://93.184.216.34/', PUBLIC, true],
  ['https://public.test/', PUBLIC, true],
  ['https://[2606:2800:220:1::1]/', PUBLIC, true],
  ['https://172.32.0.1/', PUBLIC, true],
  // It is there itself.
  ['https://10.2.0.1/', 'https://10.1.0.1/', true],
  ['https://private.test/', 'https://10.1.0.1/', true],
  ['https://half.test/', 'https://private.test/', true],
  ['https://169.254.169.254/', 'https://169.254.169.254/mcp', true],
  ['https://10.1.0.1/', 'http://127.0.0.1:9000/', true],
  // Another kind of network, which holds more than its neighbors.
  ['https://169.254.169.254/', 'https://10.1.0.1/', false],
  ['https://metadata.test/', 'https://private.test/', false],
  ['https://127.0.0.1/', 'https://10.1.0.1/', false],
  ['https://localhost/', 'https://private.test/', false],
  ['https://10.1.0.1/', 'https://169.254.1.1/', false],
])('%s from %s: %s', async (url, server, isAllowed) => {
  verifies('S99');
  expect(await reaches(url, server)).toBe(isAllowed);
});

test.each([
  'http://example.com/',
  'ftp://127.0.0.1/',
  'file:///etc/passwd',
  'https://me:secret@example.com/',
  'http://10.0.0.1/',
])('%s is not a valid sign-in address', (url) => {
  expect(() => assertSafeUrl(new URL(url), 'It')).toThrow(expect.objectContaining({ code: 'mcp_failed' }));
});

test('a redirect is not followed', async () => {
  verifies('S99');
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(302, { location: '/inside' }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = new URL(`http://127.0.0.1:${port}/start`);
  const response = await checkedFetch(fetch, url)(url);
  expect([response.status, asked]).toEqual([302, ['/start']]);
  server.close();
  server.closeAllConnections();
});
