const ADDRESS = /:|^\d+(?:\.\d+){3}$/;

/** `example.com`, `*.example.com` for what is below it, `*` for every host. `host` is normal. */
export function matchesHost(pattern: string, host: string): boolean {
  if (pattern === '*') return true;
  const domain = /^\*\.(.+)$/.exec(pattern)?.[1];
  if (domain === undefined) return normalHost(pattern) === host;
  const normal = normalHost(domain);
  return normal !== undefined && !ADDRESS.test(host) && host.endsWith(`.${normal}`);
}

export function isHostPattern(pattern: string): boolean {
  return pattern === '*' || normalHost(pattern.replace(/^\*\./, '')) !== undefined;
}

/** In lower case, international names in ASCII, numbers as an address. Undefined: it is not a host. */
export function normalHost(text: string): string | undefined {
  const bare = text.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (bare === '' || /[\s/?#@\\%*[\]]/.test(bare)) return undefined;
  const { hostname = '' } = URL.parse(`http://${bare.includes(':') ? `[${bare}]` : bare}/`) ?? {};
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '') || undefined;
}
