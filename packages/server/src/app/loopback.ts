import { hostname, networkInterfaces } from 'node:os';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '::1']);

/** Whether only programs of this machine reach an address. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.has(host);
}

/**
 * Host and port under which a server at this address is reached: the names of this machine for one on loopback, and all
 * its addresses too for one at every interface.
 */
export function hostsOf(host: string, port: number): readonly string[] {
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const own = isEverywhere ? ownAddresses() : isLoopback(host) ? [] : [host];
  const names = [
    ...(isEverywhere || isLoopback(host) ? ['localhost', '127.0.0.1', '[::1]'] : []),
    ...own.map(inBrackets),
  ];
  return names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]));
}

/** The address as a URL has it. */
export function toUrl(host: string, port: number): string {
  return `http://${inBrackets(host)}:${port}`;
}

function ownAddresses(): readonly string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((facts = []) => facts.map(({ address }) => address));
  return [...addresses, hostname()];
}

function inBrackets(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
