import { hostname, networkInterfaces } from 'node:os';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '::1']);
const DEFAULT_PORTS = { http: 80, https: 443 };

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly scheme: 'http' | 'https';
}

export function isLoopback(host: string): boolean {
  return LOOPBACK.has(host);
}

export function hostsOf({ host, port, scheme }: ServerAddress): readonly string[] {
  const isWildcard = host === '0.0.0.0' || host === '::';
  const others = isWildcard ? ownAddresses() : isLoopback(host) ? [] : [host];
  const names = [
    ...(isWildcard || isLoopback(host) ? ['localhost', '127.0.0.1', '[::1]'] : []),
    ...others.map(inBrackets),
  ];
  return names.flatMap((name) => (port === DEFAULT_PORTS[scheme] ? [name, `${name}:${port}`] : [`${name}:${port}`]));
}

export function toUrl({ host, port, scheme }: ServerAddress): string {
  return `${scheme}://${inBrackets(host)}:${port}`;
}

function ownAddresses(): readonly string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((entries = []) => entries.map(({ address }) => address));
  return [...addresses, hostname()];
}

function inBrackets(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
