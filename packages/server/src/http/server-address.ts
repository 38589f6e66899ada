import { hostname, networkInterfaces } from 'node:os';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '::1']);
const DEFAULT_PORTS = { http: 80, https: 443 };

/** Where a server listens. */
export interface Place {
  readonly host: string;
  readonly port: number;
  readonly scheme: 'http' | 'https';
}

/** Whether only programs of this machine reach an address. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.has(host);
}

/**
 * Host and port under which a server at this address is reached: the names of this machine for one on loopback, and all
 * its addresses too for one at every interface.
 */
export function hostsOf({ host, port, scheme }: Place): readonly string[] {
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const own = isEverywhere ? ownAddresses() : isLoopback(host) ? [] : [host];
  const names = [
    ...(isEverywhere || isLoopback(host) ? ['localhost', '127.0.0.1', '[::1]'] : []),
    ...own.map(inBrackets),
  ];
  return names.flatMap((name) => (port === DEFAULT_PORTS[scheme] ? [name, `${name}:${port}`] : [`${name}:${port}`]));
}

/** The address as a URL has it. */
export function toUrl({ host, port, scheme }: Place): string {
  return `${scheme}://${inBrackets(host)}:${port}`;
}

function ownAddresses(): readonly string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((facts = []) => facts.map(({ address }) => address));
  return [...addresses, hostname()];
}

function inBrackets(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
