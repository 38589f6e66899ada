import * as z from 'zod/mini';
import { hookOutputSchema } from '../hook-events.js';
import { lazySchema } from '../lazy-schema.js';
import { nullish } from '../nullish.js';
import { readFlatToolQuestion, readVerdictWords, readWrappedHookOutput } from '../older-forms.js';
import { openObject } from '../open-object.js';
import { permissionSuggestionSchema } from '../permission-suggestion.js';
import { permissionUpdateSchema } from '../permission-update.js';
import type { ControlRequestSpec } from './request-spec.js';

export const QUESTION_REQUESTS = {
  can_use_tool: {
    asker: 'agent',
    deadline: 'canUseTool',
    meaning: 'Asks whether a tool may run. A missing or malformed answer and an error deny the call.',
    fromOlderPayload: readFlatToolQuestion,
    fromOlderResult: readVerdictWords,
    payload: lazySchema(() =>
      openObject({
        /** In the vocabulary that `initialize` chose. */
        tool_name: z.string(),
        /** The name in this program, if it differs. */
        canonical_tool_name: z.optional(z.string()),
        tool_use_id: z.string(),
        input: z.unknown(),
        permission_suggestions: nullish(z.array(permissionSuggestionSchema)),
        /** The path outside the workspace that caused the question. */
        blocked_path: nullish(z.string()),
        reason: z.optional(z.string()),
        /** The task call of a subagent that asks. */
        parent_tool_use_id: nullish(z.string()),
        /** Name of that subagent. */
        agent: z.optional(z.string()),
      }),
    ),
    result: lazySchema(() =>
      z.discriminatedUnion('behavior', [
        openObject({
          subtype: z.optional(z.literal('can_use_tool')),
          behavior: z.literal('allow'),
          updatedInput: nullish(z.record(z.string(), z.unknown())),
          /** Rules that apply from now on; suggestions may be passed back. */
          updatedPermissions: nullish(z.array(z.union([permissionUpdateSchema, z.looseObject({ type: z.string() })]))),
          message: nullish(z.string()),
        }),
        openObject({
          subtype: z.optional(z.literal('can_use_tool')),
          behavior: z.literal('deny'),
          message: nullish(z.string()),
          /** Also stops the turn. */
          interrupt: nullish(z.boolean()),
          /** For the result; the model reads only the message. */
          reason: nullish(z.string()),
          updatedPermissions: nullish(z.array(z.union([permissionUpdateSchema, z.looseObject({ type: z.string() })]))),
        }),
      ]),
    ),
  },
  hook_callback: {
    asker: 'agent',
    deadline: 'controlRequest',
    meaning: 'Runs a hook that the app registered with `initialize`. The answer is a hook output.',
    fromOlderResult: readWrappedHookOutput,
    payload: lazySchema(() =>
      openObject({ callback_id: z.string(), input: z.unknown(), tool_use_id: nullish(z.string()) }),
    ),
    result: hookOutputSchema,
  },
} as const satisfies Record<string, ControlRequestSpec>;
