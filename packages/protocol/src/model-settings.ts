import * as z from 'zod/mini';
import { lazySchema } from './lazy-schema.js';
import { openObject } from './open-object.js';

const seconds = z.number().check(z.nonnegative());

/** How to call a model. */
export const modelOptionsSchema = lazySchema(() =>
  openObject({
    /** Seconds; 0: no limit. */
    timeouts: z.optional(
      openObject({
        connect: z.optional(seconds),
        firstByte: z.optional(seconds),
        idle: z.optional(seconds),
        answer: z.optional(seconds),
      }),
    ),
    /** Seconds. */
    retry: z.optional(openObject({ time: z.optional(seconds), maxWait: z.optional(seconds) })),
  }),
);
export type ModelOptions = z.infer<typeof modelOptionsSchema>;
