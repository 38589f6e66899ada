import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';
import { nullish } from '../nullish.js';
import { openObject } from '../open-object.js';
import { sessionEventSchema } from './annotations.js';
import { commandDescriptorSchema, commandResultSchema } from './command-result.js';

// Responses and messages besides completions. They need no receipt.

/** Result of a slash or at command. `command` is missing if the line concerns none. */
export const commandLineSchema = lazySchema(() =>
  openObject({
    type: z.literal('result/command'),
    session_id: z.string(),
    prompt_id: nullish(z.string()),
    command: nullish(commandDescriptorSchema),
    result: commandResultSchema,
  }),
);
export type CommandLine = z.infer<typeof commandLineSchema>;

/** A completion. `matchedIndex`: where the typed text is in the name or alias. */
const suggestionSchema = lazySchema(() =>
  openObject({
    label: z.string(),
    value: z.string(),
    description: z.optional(z.string()),
    matchedIndex: z.optional(z.number()),
  }),
);
export type Suggestion = z.infer<typeof suggestionSchema>;

/** Completions. `metadata` echoes the request. */
export const hintLineSchema = lazySchema(() =>
  openObject({
    type: z.literal('result/command_hint'),
    session_id: z.optional(z.string()),
    prompt_id: nullish(z.string()),
    trigger: z.string(),
    /** `ok`, `loading` (a final `ok` follows) or `error` (with `message`). */
    status: z.string(),
    suggestions: z.array(suggestionSchema),
    message: z.optional(z.string()),
    metadata: openObject({
      is_perfect_match: z.boolean(),
      text: z.optional(z.string()),
      cursor: z.optional(z.number()),
    }),
  }),
);
export type HintLine = z.infer<typeof hintLineSchema>;

/** A heartbeat. `ts` is Unix time in seconds. */
export const heartbeatLineSchema = lazySchema(() =>
  openObject({
    type: z.literal('result/heartbeat'),
    session_id: z.optional(z.string()),
    prompt_id: nullish(z.string()),
    status: z.string(),
    ts: z.number(),
  }),
);
export type HeartbeatLine = z.infer<typeof heartbeatLineSchema>;

/** Result of a cancel: `ok`, or `noop` if nothing was running. */
export const cancelLineSchema = lazySchema(() =>
  openObject({
    type: z.literal('result/cancel'),
    session_id: z.optional(z.string()),
    prompt_id: nullish(z.string()),
    status: z.string(),
    /** `Request cancelled.`, or why nothing was cancelled. */
    message: z.optional(z.string()),
    /** The request's `reason`, if it is not a known word. */
    reason: z.optional(z.string()),
  }),
);
export type CancelLine = z.infer<typeof cancelLineSchema>;

/** One schema per `type`. */
export const RESULT_LINE_SCHEMAS = {
  'result/command': commandLineSchema,
  'result/command_hint': hintLineSchema,
  'result/heartbeat': heartbeatLineSchema,
  'result/cancel': cancelLineSchema,
  'x-qwen-session-event': sessionEventSchema,
} as const;
