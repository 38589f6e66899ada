import * as z from 'zod/mini';
import { lazySchema } from './lazy-schema.js';
import { openObject } from './open-object.js';
import { openUnion } from './open-union.js';

/** Where a rule is stored: in the session, or in a settings file. */
export const permissionDestinationSchema = lazySchema(() =>
  z.enum(['session', 'userSettings', 'projectSettings', 'localSettings']),
);
export type PermissionDestination = z.infer<typeof permissionDestinationSchema>;

const SUGGESTION_TYPES = ['allow', 'deny', 'modify'] as const;

/**
 * Answers a client may offer. These are hints: unknown kinds are accepted. An app that expects the tool names of Claude
 * Code gets permission updates instead.
 */
export const permissionSuggestionSchema = lazySchema(() =>
  openUnion(SUGGESTION_TYPES, [
    openObject({
      type: z.enum(SUGGESTION_TYPES),
      label: z.string(),
      description: z.optional(z.string()),
      modifiedInput: z.optional(z.unknown()),
      /** Rules this choice adds: return them in `updatedPermissions`. */
      rules: z.optional(z.array(z.string())),
      destination: z.optional(permissionDestinationSchema),
    }),
  ]),
);
export type PermissionSuggestion = z.infer<typeof permissionSuggestionSchema>;
