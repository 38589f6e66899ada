import type { RequestOptions } from 'node:http';
import { AgentError } from '@qwen/protocol';

/** Proxies by the protocol of the provider's address. */
export interface ProxyRules {
  readonly http?: string | undefined;
  readonly https?: string | undefined;
  /** As `NO_PROXY`: hosts, suffixes, addresses, networks such as `10.0.0.0/8`, each with an optional port, or `*`. */
  readonly bypass?: string | undefined;
  /** Whether this machine is reached directly. */
  readonly sparesLoopback?: boolean | undefined;
}

/** What to send through the proxy of these rules; undefined for a direct connection. Rejects as `proxyFor` throws. */
export async function proxyRoute(url: string, rules: ProxyRules | undefined): Promise<RequestOptions | undefined> {
  const proxy = proxyFor(url, rules);
  return proxy && (await import('./through-proxy.js')).throughProxy(url, proxy);
}

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** Undefined for a direct connection. Throws `invalid_options` for an address that is not of an HTTP proxy. */
export function proxyFor(url: string, rules: ProxyRules | undefined): URL | undefined {
  const { protocol, hostname, port } = new URL(url);
  const text = protocol === 'https:' ? rules?.https : rules?.http;
  if (!text || rules === undefined) return undefined;
  if (rules.sparesLoopback === true && LOOPBACK.test(hostname)) return undefined;
  const place = {
    host: hostname.replace(/^\[|\]$/g, '').toLowerCase(),
    port: port || (protocol === 'https:' ? '443' : '80'),
  };
  if ((rules.bypass ?? '').split(/[\s,]+/).some((entry) => entry !== '' && covers(entry.toLowerCase(), place)))
    return undefined;
  const proxy = URL.parse(text.includes('://') ? text : `http://${text}`);
  if (proxy !== null && /^https?:$/.test(proxy.protocol)) return proxy;
  const isSocks = proxy !== null && proxy.protocol.startsWith('socks');
  const problem = isSocks ? 'a SOCKS proxy, which is not supported' : 'not an http or https URL';
  const advice = 'Check --proxy, the setting proxy, HTTPS_PROXY and ALL_PROXY; --proxy "" connects directly.';
  throw new AgentError('invalid_options', `The proxy for model calls is ${problem}. ${advice}`);
}

interface ProxyTarget {
  readonly host: string;
  readonly port: string;
}

function covers(entry: string, { host, port }: ProxyTarget): boolean {
  if (entry === '*') return true;
  const [, name = entry, wantedPort] = /^(\[[^\]]+\]|[^:]+):(\d+)$/.exec(entry) ?? [];
  if (wantedPort !== undefined && wantedPort !== port) return false;
  const wanted = name.replace(/^\[|\]$/g, '');
  if (wanted.includes('/')) return isInNetwork(host, wanted);
  const suffix = wanted.replace(/^\*?\.?/, '');
  return host === suffix || host.endsWith(`.${suffix}`);
}

function isInNetwork(host: string, network: string): boolean {
  const { BlockList, isIP } = process.getBuiltinModule('node:net');
  const [address = '', prefix = ''] = network.split('/');
  const version = isIP(address);
  const bits = Number(prefix);
  if (version === 0 || isIP(host) !== version || !(bits >= 0 && bits <= (version === 4 ? 32 : 128))) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(address, bits, family);
  return list.check(host, family);
}
