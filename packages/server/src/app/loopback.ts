const LOOPBACK = new Set(['localhost', '127.0.0.1', '::1']);

/** Whether only programs of this machine reach an address. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.has(host);
}

/** Host and port under which a server at this address is reached; the names of this machine for one on loopback. */
export function hostsOf(host: string, port: number): readonly string[] {
  const names = isLoopback(host) ? ['localhost', '127.0.0.1', '[::1]'] : [inBrackets(host)];
  return names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]));
}

/** The address as a URL has it. */
export function toUrl(host: string, port: number): string {
  return `http://${inBrackets(host)}:${port}`;
}

function inBrackets(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
