import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { AgentError } from '@qwen/protocol';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Addresses outside of the public network. */
const PRIVATE_NETWORKS = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  PRIVATE_NETWORKS.addSubnet(net, prefix, 'ipv4');
}
for (const [net, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  PRIVATE_NETWORKS.addSubnet(net, prefix, 'ipv6');
}

/** By its name alone, without DNS. */
export function isLoopbackUrl({ hostname }: URL): boolean {
  const host = bareHost(hostname);
  return host === 'localhost' || host.endsWith('.localhost') || isIn(LOOPBACK, host);
}

/** Throws `mcp_failed` unless it is https or loopback, without credentials. */
export function assertSafeUrl(url: URL, what: string): void {
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackUrl(url));
  if (isSafe && url.username === '' && url.password === '') return;
  throw new AgentError('mcp_failed', `${what} must be an https URL: ${JSON.stringify(url.href.slice(0, 200))}`);
}

/**
 * Throws `mcp_failed` if a URL from a server leads into a private network, unless the server is in one. DNS
 * rebinding fails later, for lack of a certificate.
 */
export async function assertReachable(url: URL, serverUrl: URL): Promise<void> {
  if (!(await isPrivate(url))) return;
  if (url.host === serverUrl.host || (await isPrivate(serverUrl))) return;
  throw new AgentError('mcp_failed', `${url.host} is in a private network and must not be named by the server.`);
}

async function isPrivate(url: URL): Promise<boolean> {
  const host = bareHost(url.hostname);
  if (isIP(host) !== 0) return isIn(PRIVATE_NETWORKS, host);
  if (isLoopbackUrl(url)) return true;
  // An unknown name is not reachable either.
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.some(({ address }) => isIn(PRIVATE_NETWORKS, address));
}

function isIn(list: BlockList, address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return list.check(mapped, 'ipv4');
  return list.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/** Without the brackets of IPv6. */
function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').toLowerCase();
}
