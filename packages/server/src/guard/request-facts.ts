import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

/** Hono's context; `incoming` is there when Node.js serves it, and missing in other runtimes and in tests. */
export type GuardContext = Context<{ Bindings: Partial<HttpBindings> }>;

/**
 * All values of a header as they came. `Headers` shows the first or a joined one where a request has several, and which
 * of two `Host` lines counts is what an attacker plays with (S60, S61, S73).
 */
export function headerValues(context: GuardContext, name: string): readonly string[] {
  const raw = context.env?.incoming?.rawHeaders;
  if (raw === undefined) {
    const value = context.req.raw.headers.get(name);
    return value === null ? [] : [value];
  }
  return raw.filter((_, index) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === name);
}

/** The request target as it came: a path, or a whole URL from a client that takes us for a proxy. */
export function requestTarget(context: GuardContext): string {
  return context.env?.incoming?.url ?? context.req.path;
}
