import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';
import { nullish } from '../nullish.js';
import { openObject } from '../open-object.js';

// Requests answered immediately, outside the conversation.

const ids = { session_id: nullish(z.string()), prompt_id: nullish(z.string()), protocol_version: nullish(z.number()) };

/** Asks for completions while the user types. */
export const hintRequestSchema = lazySchema(() =>
  openObject({
    type: z.literal('command_hint_request'),
    ...ids,
    trigger: z.enum(['slash', 'at']),
    /** The input text, including the trigger. */
    text: z.string(),
    /** Cursor position in UTF-16 units. Default: the end. */
    cursor: nullish(z.number()),
    context: nullish(openObject({ cwd: nullish(z.string()), selected_text: nullish(z.string()) })),
  }),
);
export type HintRequest = z.infer<typeof hintRequestSchema>;

/** Ends a search; there is no response. */
export const hintCancelSchema = lazySchema(() =>
  openObject({ type: z.literal('command_hint_cancel'), ...ids, trigger: nullish(z.enum(['slash', 'at'])) }),
);
export type HintCancel = z.infer<typeof hintCancelSchema>;

export const heartbeatRequestSchema = lazySchema(() => openObject({ type: z.literal('heartbeat_request'), ...ids }));
export type HeartbeatRequest = z.infer<typeof heartbeatRequestSchema>;

/** Cancels a turn, as Escape does. `request_id` asks for an additional `control_response`. */
export const cancelRequestSchema = lazySchema(() =>
  openObject({
    type: z.literal('control/cancel'),
    ...ids,
    /** `escape`, `keyboard_interrupt`, `timeout`, or any other word. Default: `escape`. */
    reason: nullish(z.string()),
    request_id: nullish(z.string()),
  }),
);
export type CancelRequest = z.infer<typeof cancelRequestSchema>;

export const TYPED_REQUEST_SCHEMAS = {
  command_hint_request: hintRequestSchema,
  command_hint_cancel: hintCancelSchema,
  heartbeat_request: heartbeatRequestSchema,
  'control/cancel': cancelRequestSchema,
} as const;
export type TypedRequest = HintRequest | HintCancel | HeartbeatRequest | CancelRequest;
