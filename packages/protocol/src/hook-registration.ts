import * as z from 'zod/mini';
import { lazySchema } from './lazy-schema.js';
import { nullish } from './nullish.js';
import { openObject } from './open-object.js';

const hookMatcherSchema = lazySchema(() =>
  openObject({
    matcher: nullish(z.string()),
    hookCallbackIds: z.array(z.string()),
    timeout: z.optional(z.number()),
    /** Whether an exception, an invalid answer or a timeout blocks. Default: for PreToolUse and UserPromptSubmit. */
    blocking: z.optional(z.boolean()),
  }),
);

const hookRegistrationSchema = lazySchema(() =>
  openObject({
    event: z.string(),
    callback_id: z.string(),
    matcher: nullish(z.string()),
    timeout: z.optional(z.number()),
    blocking: z.optional(z.boolean()),
  }),
);

/** Hooks of the app: a list, or a map from event to matchers. */
export const hooksSchema = lazySchema(() =>
  z.union([z.array(hookRegistrationSchema), z.record(z.string(), nullish(z.array(hookMatcherSchema)))]),
);

export interface HookRegistration {
  readonly event: string;
  /** A regular expression on the tool name; undefined matches all. */
  readonly matcher: string | undefined;
  readonly callbackIds: readonly string[];
  readonly timeoutSeconds: number | undefined;
  readonly blocking: boolean | undefined;
}

export function toHookRegistrations(hooks: z.infer<typeof hooksSchema>): HookRegistration[] {
  if (Array.isArray(hooks)) {
    return hooks.map(({ event, callback_id: id, matcher, timeout, blocking }) => ({
      event,
      matcher: matcher ?? undefined,
      callbackIds: [id],
      timeoutSeconds: timeout,
      blocking,
    }));
  }
  return Object.entries(hooks).flatMap(([event, groups]) =>
    (groups ?? []).map(({ matcher, hookCallbackIds, timeout, blocking }) => ({
      event,
      matcher: matcher ?? undefined,
      callbackIds: hookCallbackIds,
      timeoutSeconds: timeout,
      blocking,
    })),
  );
}
