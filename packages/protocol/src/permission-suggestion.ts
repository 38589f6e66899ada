import * as z from 'zod/mini';
import { lazySchema } from './lazy-schema.js';
import { openObject } from './open-object.js';
import { openUnion } from './open-union.js';

const SUGGESTION_TYPES = ['allow', 'deny', 'modify'] as const;

/** What a person could be offered as an answer (O-45). Suggestions are hints: one of an unknown kind passes. */
export const permissionSuggestionSchema = lazySchema(() =>
  openUnion(SUGGESTION_TYPES, [
    openObject({
      type: z.enum(SUGGESTION_TYPES),
      label: z.string(),
      description: z.optional(z.string()),
      modifiedInput: z.optional(z.unknown()),
    }),
  ]),
);
export type PermissionSuggestion = z.infer<typeof permissionSuggestionSchema>;
