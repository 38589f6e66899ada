import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

/** `incoming` is undefined outside the Node.js server, for example in tests. */
export type GuardContext = Context<{ Bindings: Partial<HttpBindings> }>;

/**
 * All values of a header as sent. `Headers` returns the first or joins them, and attackers exploit duplicate headers
 * such as `Host`.
 */
export function headerValues(context: GuardContext, name: string): readonly string[] {
  const raw = context.env?.incoming?.rawHeaders;
  if (raw === undefined) {
    const value = context.req.raw.headers.get(name);
    return value === null ? [] : [value];
  }
  return raw.filter((_, index) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === name);
}

/** The request target as sent: a path, or an absolute URL as for a proxy. */
export function requestTarget(context: GuardContext): string {
  return context.env?.incoming?.url ?? context.req.path;
}
