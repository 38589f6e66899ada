import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { AgentError } from '@qwen/protocol';

type Scope = 'loopback' | 'link-local' | 'private';
type Subnets = readonly (readonly [network: string, prefix: number])[];

/** Link-local networks also contain the metadata services of clouds, which hand out credentials. */
const NETWORKS: Readonly<Record<Scope, BlockList>> = {
  loopback: blockList([
    ['127.0.0.0', 8],
    ['::1', 128],
  ]),
  'link-local': blockList([
    ['169.254.0.0', 16],
    ['100.100.100.200', 32],
    ['192.0.0.192', 32],
    ['fe80::', 10],
    ['fd00:ec2::254', 128],
  ]),
  private: blockList([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 3],
    // Unspecified and IPv4-compatible.
    ['::', 96],
    // NAT64, Teredo and 6to4 contain an IPv4 address, which may be a private one.
    ['64:ff9b::', 96],
    ['64:ff9b:1::', 48],
    ['100::', 64],
    ['2001::', 32],
    ['2001:db8::', 32],
    ['2002::', 16],
    ['fc00::', 7],
    ['fec0::', 10],
    ['ff00::', 8],
  ]),
};
const SCOPES: readonly Scope[] = ['loopback', 'link-local', 'private'];

function blockList(subnets: Subnets): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, familyOf(network));
  return list;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}

export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** Judged by the name alone, without DNS. */
export function isLoopbackUrl({ hostname }: URL): boolean {
  const host = bareHost(hostname);
  return host === 'localhost' || host.endsWith('.localhost') || scopeOf(host) === 'loopback';
}

/** Throws `mcp_failed` unless it is https or loopback, without credentials. */
export function assertSafeUrl(url: URL, what: string): void {
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackUrl(url));
  if (isSafe && url.username === '' && url.password === '') return;
  throw new AgentError('mcp_failed', `${what} must be an https URL: ${JSON.stringify(url.href.slice(0, 200))}`);
}

/**
 * Throws `mcp_failed` if a URL from a server leads into a network that the server itself is not in. DNS rebinding fails
 * later, for lack of a certificate.
 */
export async function assertReachable(url: URL, serverUrl: URL, resolveHost: ResolveHost = resolveName): Promise<void> {
  const scopes = await scopesOf(url, resolveHost);
  if (scopes.length === 0 || url.host === serverUrl.host) return;
  const near = await scopesOf(serverUrl, resolveHost);
  // A program of this machine reaches all networks anyway.
  if (near.includes('loopback') || scopes.every((scope) => near.includes(scope))) return;
  throw new AgentError(
    'mcp_failed',
    `The server named ${url.host}, which is in a private network. qwen does not connect to it.`,
  );
}

/** Empty if all its addresses are public. */
async function scopesOf(url: URL, resolveHost: ResolveHost): Promise<readonly Scope[]> {
  const host = bareHost(url.hostname);
  if (isLoopbackUrl(url)) return ['loopback'];
  const addresses = isIP(host) === 0 ? await resolveHost(host) : [host];
  return addresses.flatMap((address) => scopeOf(address) ?? []);
}

/** The addresses of a host name; none for an unknown one. */
export async function resolveName(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}

/** IPv4 addresses mapped to IPv6 are checked as IPv4. */
function scopeOf(address: string): Scope | undefined {
  if (isIP(address) === 0) return undefined;
  return SCOPES.find((scope) => NETWORKS[scope].check(address, familyOf(address)));
}

/** An address of this machine, its networks, or one that contains such an address. */
export function isPrivateAddress(address: string): boolean {
  return scopeOf(address) !== undefined;
}

/** Addresses of the metadata services of clouds. */
export function isLinkLocalAddress(address: string): boolean {
  return scopeOf(address) === 'link-local';
}

/** Without the brackets of IPv6. */
function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').toLowerCase();
}
