import * as z from 'zod/mini';
import { lazySchema } from './lazy-schema.js';
import { permissionModeSchema } from './modes.js';
import { openObject } from './open-object.js';

/** Where a rule is stored: in the session, or in a settings file. */
export const permissionDestinationSchema = lazySchema(() =>
  z.enum(['session', 'userSettings', 'projectSettings', 'localSettings']),
);
export type PermissionDestination = z.infer<typeof permissionDestinationSchema>;

/** A rule such as `Bash(npm test)`, or in the Claude Agent SDK's form. */
const ruleSchema = lazySchema(() =>
  z.union([z.string(), openObject({ toolName: z.string(), ruleContent: z.optional(z.string()) })]),
);

/** A change of rules or mode, sent with the answer to a permission question. */
export const permissionUpdateSchema = lazySchema(() =>
  z.discriminatedUnion('type', [
    openObject({
      type: z.enum(['addRules', 'replaceRules', 'removeRules']),
      rules: z.array(ruleSchema),
      behavior: z.enum(['allow', 'deny', 'ask']),
      destination: permissionDestinationSchema,
    }),
    openObject({
      type: z.literal('setMode'),
      mode: permissionModeSchema,
      destination: permissionDestinationSchema,
    }),
  ]),
);
export type PermissionUpdate = z.infer<typeof permissionUpdateSchema>;
