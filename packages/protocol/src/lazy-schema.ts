import * as z from 'zod/mini';

/**
 * A schema built on first use. Building all takes 8 ms, a fifth of a cold start; a process needs few for its first
 * line.
 */
export function lazySchema<Schema extends z.core.$ZodType>(build: () => Schema): z.ZodMiniLazy<Schema> {
  return z.lazy(build);
}
