import * as z from 'zod/mini';
import { contentBlockSchema } from '../content.js';
import { lazySchema } from '../lazy-schema.js';
import { sandboxStateSchema } from '../modes.js';
import { openObject } from '../open-object.js';
import { openUnion } from '../open-union.js';
import { permissionSuggestionSchema } from '../permission-suggestion.js';
import { usageSchema } from '../usage.js';
import { INCREMENT_SCHEMAS } from './increments.js';
import { EVENT_PLACE, MESSAGE_PLACE } from './places.js';

// Events of a session's log, as every HTTP API shows them.

/** How a turn ended. `cancelled` is not an error. */
export const TURN_OUTCOMES = ['success', 'cancelled', 'error'] as const;
export type TurnOutcome = (typeof TURN_OUTCOMES)[number];

/** Who decided whether a tool runs. */
export const APPROVAL_SOURCES = ['client', 'deadline', 'policy', 'withdrawn'] as const;
export type ApprovalSource = (typeof APPROVAL_SOURCES)[number];

/** An error for any client: a code and a sentence, without internal details. */
const eventErrorSchema = lazySchema(() =>
  openObject({ code: z.string(), message: z.string(), retryable: z.boolean() }),
);

/** An event of the log, by `type`. */
export const eventBodySchema = lazySchema(() =>
  openUnion(Object.keys(EVENT_SCHEMAS), [
    EVENT_SCHEMAS['user.message'],
    EVENT_SCHEMAS['user.message_taken'],
    EVENT_SCHEMAS['user.interrupt'],
    EVENT_SCHEMAS['agent.message_start'],
    EVENT_SCHEMAS['agent.content_block_start'],
    EVENT_SCHEMAS['agent.content_block_delta'],
    EVENT_SCHEMAS['agent.content_block_stop'],
    EVENT_SCHEMAS['agent.message_delta'],
    EVENT_SCHEMAS['agent.message_stop'],
    EVENT_SCHEMAS['agent.message'],
    EVENT_SCHEMAS['agent.thinking'],
    EVENT_SCHEMAS['agent.tool_use'],
    EVENT_SCHEMAS['agent.tool_result'],
    EVENT_SCHEMAS['session.status_running'],
    EVENT_SCHEMAS['session.status_idle'],
    EVENT_SCHEMAS['session.sandbox'],
    EVENT_SCHEMAS['session.error'],
    EVENT_SCHEMAS['turn.started'],
    EVENT_SCHEMAS['turn.ended'],
    EVENT_SCHEMAS['turn.interrupted'],
    EVENT_SCHEMAS['approval.requested'],
    EVENT_SCHEMAS['approval.settled'],
    EVENT_SCHEMAS['file_references'],
    EVENT_SCHEMAS['warning'],
    EVENT_SCHEMAS['notice'],
  ]),
);

/** Event schemas, without the members that the log adds. */
export const EVENT_SCHEMAS = {
  ...INCREMENT_SCHEMAS,
  'user.message': lazySchema(() =>
    openObject({
      ...EVENT_PLACE,
      type: z.literal('user.message'),
      request_id: z.string(),
      content: z.array(contentBlockSchema),
      processed_at: z.optional(z.string()),
    }),
  ),
  /** The running turn took the message before its next model call. Replaces `turn.ended` of the message's own turn. */
  'user.message_taken': lazySchema(() =>
    openObject({
      ...EVENT_PLACE,
      type: z.literal('user.message_taken'),
      request_id: z.string(),
      taken_by_turn_id: z.string(),
    }),
  ),
  'user.interrupt': lazySchema(() => openObject({ ...EVENT_PLACE, type: z.literal('user.interrupt') })),
  /** A complete answer of the model; authoritative over increments. */
  'agent.message': lazySchema(() =>
    openObject({
      ...MESSAGE_PLACE,
      type: z.literal('agent.message'),
      model: z.string(),
      /** Blocks at the index of their increments. */
      content: z.array(contentBlockSchema),
      stop_reason: z.nullable(z.string()),
      usage: z.optional(usageSchema),
    }),
  ),
  /** A thinking block of the answer. */
  'agent.thinking': lazySchema(() =>
    openObject({
      ...MESSAGE_PLACE,
      type: z.literal('agent.thinking'),
      index: z.number(),
      thinking: z.string(),
      signature: z.optional(z.string()),
    }),
  ),
  /** A tool call of the answer. */
  'agent.tool_use': lazySchema(() =>
    openObject({
      ...MESSAGE_PLACE,
      type: z.literal('agent.tool_use'),
      index: z.number(),
      tool_use_id: z.string(),
      name: z.string(),
      input: z.unknown(),
    }),
  ),
  'agent.tool_result': lazySchema(() =>
    openObject({
      ...EVENT_PLACE,
      type: z.literal('agent.tool_result'),
      tool_use_id: z.string(),
      content: z.unknown(),
      is_error: z.boolean(),
    }),
  ),
  'session.status_running': lazySchema(() => openObject({ ...EVENT_PLACE, type: z.literal('session.status_running') })),
  'session.status_idle': lazySchema(() => openObject({ ...EVENT_PLACE, type: z.literal('session.status_idle') })),
  /** A new state of the sandbox of commands. Before the first one, there is none. */
  'session.sandbox': lazySchema(() =>
    openObject({ ...EVENT_PLACE, type: z.literal('session.sandbox'), sandbox: sandboxStateSchema }),
  ),
  'session.error': lazySchema(() =>
    openObject({ ...EVENT_PLACE, type: z.literal('session.error'), error: eventErrorSchema }),
  ),
  'turn.started': lazySchema(() =>
    openObject({ ...EVENT_PLACE, type: z.literal('turn.started'), request_id: z.string() }),
  ),
  /** Closes each turn exactly once, unless the server crashed in it or another turn took its message. */
  'turn.ended': lazySchema(() =>
    openObject({
      ...EVENT_PLACE,
      type: z.literal('turn.ended'),
      request_id: z.string(),
      outcome: z.enum(TURN_OUTCOMES),
      /** Milliseconds since `turn.started`; 0 if it never started. */
      duration_ms: z.number(),
      usage: z.optional(usageSchema),
      /** Missing if the price of the model is not known. */
      cost_usd: z.optional(z.number()),
      /** The last text of the model. */
      result: z.optional(z.string()),
      /** Only with the outcome `error`. */
      error: z.optional(eventErrorSchema),
    }),
  ),
  /** Replaces `turn.ended` after a crash of the server. */
  'turn.interrupted': lazySchema(() =>
    openObject({
      ...EVENT_PLACE,
      type: z.literal('turn.interrupted'),
      request_id: z.string(),
      reason: z.string(),
      /** The last text of the model. */
      result: z.optional(z.string()),
    }),
  ),
  /** A tool call awaits approval. Without an answer it is denied. */
  'approval.requested': lazySchema(() =>
    openObject({
      ...EVENT_PLACE,
      type: z.literal('approval.requested'),
      approval_id: z.string(),
      request_id: z.string(),
      tool_use_id: z.string(),
      tool_name: z.string(),
      input: z.unknown(),
      reason: z.optional(z.string()),
      /** The path outside the workspace that caused the question. */
      blocked_path: z.optional(z.string()),
      suggestions: z.optional(z.array(permissionSuggestionSchema)),
      /** Time of the automatic denial, in epoch milliseconds. */
      expires_at: z.number(),
    }),
  ),
  'approval.settled': lazySchema(() =>
    openObject({
      ...EVENT_PLACE,
      type: z.literal('approval.settled'),
      approval_id: z.string(),
      tool_use_id: z.string(),
      behavior: z.enum(['allow', 'deny']),
      by: z.enum(APPROVAL_SOURCES),
      message: z.optional(z.string()),
    }),
  ),
  /** Files a message referred to with `@`. */
  file_references: lazySchema(() =>
    openObject({
      ...EVENT_PLACE,
      type: z.literal('file_references'),
      /** `size` in bytes. */
      files: z.array(openObject({ path: z.string(), size: z.number() })),
    }),
  ),
  /** A warning; the turn continues. */
  warning: lazySchema(() => openObject({ ...EVENT_PLACE, type: z.literal('warning'), message: z.string() })),
  /** Other news of the agent, such as a retry: see `code` and `data`. */
  notice: lazySchema(() =>
    openObject({
      ...EVENT_PLACE,
      type: z.literal('notice'),
      code: z.string(),
      message: z.optional(z.string()),
      data: z.optional(z.unknown()),
    }),
  ),
} as const;

export type PublicEventType = keyof typeof EVENT_SCHEMAS;

export type PublicEventBody = z.infer<typeof eventBodySchema>;
export type PublicEventBodyOf<Type extends PublicEventType> = Extract<PublicEventBody, { readonly type: Type }>;

/** Members the log adds to each event. */
export const eventEnvelopeSchema = lazySchema(() =>
  openObject({
    /** Position in the session: 1, 2, 3 … without gaps, stable across restarts. */
    seq: z.number(),
    /** Derived from `seq` and sorted like it; both can be used to resume. */
    id: z.string(),
    type: z.string(),
    session_id: z.string(),
    created_at: z.number(),
  }),
);
export type EventEnvelope = z.infer<typeof eventEnvelopeSchema>;

/** An event as read; unknown types are accepted. */
export const publicEventSchema = lazySchema(() => z.intersection(eventEnvelopeSchema, eventBodySchema));
export type PublicEvent = EventEnvelope & PublicEventBody;

/** Without an id, and not in the log. */
export const streamNoticeSchema = lazySchema(() =>
  z.discriminatedUnion('type', [
    openObject({ type: z.literal('resync'), from_seq: z.number(), to_seq: z.number() }),
    openObject({ type: z.literal('replay_complete'), seq: z.number() }),
    openObject({ type: z.literal('lagging'), lag_bytes: z.number(), max_lag_bytes: z.number() }),
    openObject({
      type: z.enum(['stream_end', 'session_deleted', 'server_shutdown', 'evicted']),
      reason: z.string(),
      seq: z.number(),
    }),
  ]),
);

export const streamedEventSchema = lazySchema(() => z.union([publicEventSchema, streamNoticeSchema]));
