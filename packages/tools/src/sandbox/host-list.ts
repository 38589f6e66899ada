import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

export interface HostLists {
  /** `example.com`, `*.example.com` for what is below it, `*` for every public host. Empty: none. */
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
}

/** `named`: by its full name, so that it may be in a private network. */
export type HostVerdict = 'named' | 'allowed' | 'denied' | 'unknown';

export function judgeHost(host: string, { allowed, denied }: HostLists): HostVerdict {
  if (denied.some((pattern) => matches(pattern, host))) return 'denied';
  if (allowed.some((pattern) => normalHost(pattern) === host)) return 'named';
  return allowed.some((pattern) => matches(pattern, host)) ? 'allowed' : 'unknown';
}

function matches(pattern: string, host: string): boolean {
  if (pattern === '*') return true;
  const domain = /^\*\.(.+)$/.exec(pattern)?.[1];
  if (domain === undefined) return normalHost(pattern) === host;
  return isIP(host) === 0 && host.endsWith(`.${normalHost(domain) ?? ''}`) && normalHost(domain) !== undefined;
}

/** In lower case, international names in ASCII, numbers as an address. Undefined: it is not a host. */
export function normalHost(text: string): string | undefined {
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare) === 6) return hostOfUrl(`http://[${bare}]/`);
  const ascii = domainToASCII(text.replace(/\.$/, ''));
  return ascii === '' ? undefined : hostOfUrl(`http://${ascii}/`);
}

function hostOfUrl(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname } = new URL(url);
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '') || undefined;
}
