import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

/** `incoming` is undefined outside the Node.js server. */
export type GuardContext = Context<{ Bindings: Partial<HttpBindings> }>;

/** All values as sent: attackers exploit duplicate headers, which `Headers` hides. */
export function headerValues(context: GuardContext, name: string): readonly string[] {
  const raw = context.env?.incoming?.rawHeaders;
  if (raw === undefined) {
    const value = context.req.raw.headers.get(name);
    return value === null ? [] : [value];
  }
  return raw.filter((_, index) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === name);
}

/** As sent: a path, or an absolute URL. */
export function requestTarget(context: GuardContext): string {
  return context.env?.incoming?.url ?? context.req.path;
}
