import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';
import { nullish } from '../nullish.js';
import { openObject } from '../open-object.js';
import { sessionEventSchema } from './annotations.js';
import { commandDescriptorSchema, commandResultSchema } from './command-result.js';

// Lines that answer a request of the host or tell it something, beside the completions. They need no receipt.

/** What came of a slash or at command. `command` is absent where the line speaks of no command. */
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

/** One thing that could be meant. `matchedIndex`: where what was typed stands in the name or alias. */
const suggestionSchema = lazySchema(() =>
  openObject({
    label: z.string(),
    value: z.string(),
    description: z.optional(z.string()),
    matchedIndex: z.optional(z.number()),
  }),
);
export type Suggestion = z.infer<typeof suggestionSchema>;

/** What could be meant by what was typed. `metadata` echoes what was asked. */
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

/** A sign of life. `ts` in seconds since 1970. */
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

/** What came of a cancel: `ok`, or `noop` when there was nothing to stop. */
export const cancelLineSchema = lazySchema(() =>
  openObject({
    type: z.literal('result/cancel'),
    session_id: z.optional(z.string()),
    prompt_id: nullish(z.string()),
    status: z.string(),
    /** `Request cancelled.`, or why there was nothing to stop. */
    message: z.optional(z.string()),
    /** The `reason` of the request, where it was none of the known words. */
    reason: z.optional(z.string()),
  }),
);
export type CancelLine = z.infer<typeof cancelLineSchema>;

/** One schema for each value of `type`. */
export const RESULT_LINE_SCHEMAS = {
  'result/command': commandLineSchema,
  'result/command_hint': hintLineSchema,
  'result/heartbeat': heartbeatLineSchema,
  'result/cancel': cancelLineSchema,
  'x-qwen-session-event': sessionEventSchema,
} as const;
