import * as z from 'zod/mini';
import { lazySchema } from './lazy-schema.js';
import { nullish } from './nullish.js';
import { openObject } from './open-object.js';

const hookMatcherSchema = lazySchema(() =>
  openObject({
    matcher: nullish(z.string()),
    hookCallbackIds: z.array(z.string()),
    /** Seconds. */
    timeout: z.optional(z.number()),
  }),
);

const hookRegistrationSchema = lazySchema(() =>
  openObject({
    event: z.string(),
    callback_id: z.string(),
    matcher: nullish(z.string()),
    timeout: z.optional(z.number()),
  }),
);

/** The hooks that the app registers, in either form (CF-38): a list, or a map from event name to matchers. */
export const hooksSchema = lazySchema(() =>
  z.union([z.array(hookRegistrationSchema), z.record(z.string(), nullish(z.array(hookMatcherSchema)))]),
);
