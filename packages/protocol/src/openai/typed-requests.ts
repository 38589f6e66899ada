import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';
import { nullish } from '../nullish.js';
import { openObject } from '../open-object.js';

// Lines of a host that are answered at once and never enter a conversation (groups G, H, I).

const ids = { session_id: nullish(z.string()), prompt_id: nullish(z.string()), protocol_version: nullish(z.number()) };

/** Asks what could be meant while somebody types. */
export const hintRequestSchema = lazySchema(() =>
  openObject({
    type: z.literal('command_hint_request'),
    ...ids,
    trigger: z.enum(['slash', 'at']),
    /** What stands in the input box, the trigger included. */
    text: z.string(),
    /** Where the cursor is in it, in UTF-16 units. Default: behind the text. */
    cursor: nullish(z.number()),
    context: nullish(openObject({ cwd: nullish(z.string()), selected_text: nullish(z.string()) })),
  }),
);
export type HintRequest = z.infer<typeof hintRequestSchema>;

/** Ends a search; there is no answer. */
export const hintCancelSchema = lazySchema(() =>
  openObject({ type: z.literal('command_hint_cancel'), ...ids, trigger: nullish(z.enum(['slash', 'at'])) }),
);
export type HintCancel = z.infer<typeof hintCancelSchema>;

/** Asks for a sign of life. */
export const heartbeatRequestSchema = lazySchema(() => openObject({ type: z.literal('heartbeat_request'), ...ids }));
export type HeartbeatRequest = z.infer<typeof heartbeatRequestSchema>;

/** Stops a turn, as Escape does. `request_id` asks for a `control_response` on top. */
export const cancelRequestSchema = lazySchema(() =>
  openObject({
    type: z.literal('control/cancel'),
    ...ids,
    /** `escape`, `keyboard_interrupt`, `timeout`; any other word cancels too. Default `escape`. */
    reason: nullish(z.string()),
    request_id: nullish(z.string()),
  }),
);
export type CancelRequest = z.infer<typeof cancelRequestSchema>;

/** One schema for each value of `type`. */
export const TYPED_REQUEST_SCHEMAS = {
  command_hint_request: hintRequestSchema,
  command_hint_cancel: hintCancelSchema,
  heartbeat_request: heartbeatRequestSchema,
  'control/cancel': cancelRequestSchema,
} as const;
export type TypedRequest = HintRequest | HintCancel | HeartbeatRequest | CancelRequest;
