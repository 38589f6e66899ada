import { matchesHost, normalHost } from '@qwen/agent';

export interface HostLists {
  /** `example.com`, `*.example.com` for what is below it, `*` for every public host. Empty: none. */
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
}

/** `named`: by its full name, so that it may be in a private network. */
export type HostVerdict = 'named' | 'allowed' | 'denied' | 'unknown';

export function judgeHost(host: string, { allowed, denied }: HostLists): HostVerdict {
  if (denied.some((pattern) => matchesHost(pattern, host))) return 'denied';
  if (allowed.some((pattern) => normalHost(pattern) === host)) return 'named';
  return allowed.some((pattern) => matchesHost(pattern, host)) ? 'allowed' : 'unknown';
}
