import * as z from 'zod/mini';
import { contentBlockSchema } from '../content.js';
import { lazySchema } from '../lazy-schema.js';
import { openObject } from '../open-object.js';
import { openUnion } from '../open-union.js';
import { permissionSuggestionSchema } from '../permission-suggestion.js';
import { usageSchema } from '../usage.js';
import { INCREMENT_SCHEMAS } from './increments.js';
import { EVENT_PLACE, MESSAGE_PLACE } from './places.js';

// What a session of `qwen serve` has in its log, as every HTTP surface of it shows it (groups Q and R). Wire form.

/** How a turn ended. `cancelled` is nobody's fault. */
export const TURN_OUTCOMES = ['success', 'cancelled', 'error'] as const;
export type TurnOutcome = (typeof TURN_OUTCOMES)[number];

/** Who settled the question whether a tool may run. */
export const APPROVAL_SOURCES = ['client', 'deadline', 'withdrawn'] as const;
export type ApprovalSource = (typeof APPROVAL_SOURCES)[number];

/** An error as everybody may see it: a code of ours and a sentence, without what only its owner should know. */
const eventErrorSchema = lazySchema(() =>
  openObject({ code: z.string(), message: z.string(), retryable: z.boolean() }),
);

/** An event as the log holds it, told apart by `type`. */
export const eventBodySchema = lazySchema(() =>
  openUnion(Object.keys(EVENT_SCHEMAS), [
    EVENT_SCHEMAS['user.message'],
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

/** The schema of each type of event, without what the log adds when it is read. */
export const EVENT_SCHEMAS = {
  ...INCREMENT_SCHEMAS,
  /** What a user said, as it was sent. */
  'user.message': lazySchema(() =>
    openObject({
      ...EVENT_PLACE,
      type: z.literal('user.message'),
      request_id: z.string(),
      content: z.array(contentBlockSchema),
      /** ISO 8601. */
      processed_at: z.optional(z.string()),
    }),
  ),
  /** A user stopped the running turn. */
  'user.interrupt': lazySchema(() => openObject({ ...EVENT_PLACE, type: z.literal('user.interrupt') })),
  /** One whole answer of the model; the authority where increments say something else. */
  'agent.message': lazySchema(() =>
    openObject({
      ...MESSAGE_PLACE,
      type: z.literal('agent.message'),
      model: z.string(),
      /** Every block at the index that its increments had. */
      content: z.array(contentBlockSchema),
      stop_reason: z.nullable(z.string()),
      usage: z.optional(usageSchema),
    }),
  ),
  /** One thinking block of that answer. */
  'agent.thinking': lazySchema(() =>
    openObject({
      ...MESSAGE_PLACE,
      type: z.literal('agent.thinking'),
      index: z.number(),
      thinking: z.string(),
      signature: z.optional(z.string()),
    }),
  ),
  /** One tool call of that answer. */
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
  /** What a tool answered, always whole. */
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
  /** Why a turn failed. */
  'session.error': lazySchema(() =>
    openObject({ ...EVENT_PLACE, type: z.literal('session.error'), error: eventErrorSchema }),
  ),
  'turn.started': lazySchema(() =>
    openObject({ ...EVENT_PLACE, type: z.literal('turn.started'), request_id: z.string() }),
  ),
  /** Exactly one closes each turn, unless the server died in it. */
  'turn.ended': lazySchema(() =>
    openObject({
      ...EVENT_PLACE,
      type: z.literal('turn.ended'),
      request_id: z.string(),
      outcome: z.enum(TURN_OUTCOMES),
      /** Milliseconds since `turn.started`; 0 for one that never started. */
      duration_ms: z.number(),
      usage: z.optional(usageSchema),
      /** The last words of the model. */
      result: z.optional(z.string()),
      /** Only with the outcome `error`. */
      error: z.optional(eventErrorSchema),
    }),
  ),
  /** Stands in place of `turn.ended`: the server died in the turn, and a later one found it. */
  'turn.interrupted': lazySchema(() =>
    openObject({
      ...EVENT_PLACE,
      type: z.literal('turn.interrupted'),
      request_id: z.string(),
      reason: z.string(),
      /** What the model had said last. */
      result: z.optional(z.string()),
    }),
  ),
  /** A tool wants to run and somebody has to say yes. Without an answer it does not run. */
  'approval.requested': lazySchema(() =>
    openObject({
      ...EVENT_PLACE,
      type: z.literal('approval.requested'),
      approval_id: z.string(),
      request_id: z.string(),
      tool_use_id: z.string(),
      tool_name: z.string(),
      input: z.unknown(),
      /** Why it is asked, for people. */
      reason: z.optional(z.string()),
      /** The path outside of the workspace that made the agent ask. */
      blocked_path: z.optional(z.string()),
      suggestions: z.optional(z.array(permissionSuggestionSchema)),
      /** When it is denied by itself, in epoch milliseconds. */
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
  /** Files that a message referred to with `@`. */
  file_references: lazySchema(() =>
    openObject({
      ...EVENT_PLACE,
      type: z.literal('file_references'),
      /** `size` in bytes. */
      files: z.array(openObject({ path: z.string(), size: z.number() })),
    }),
  ),
  /** Something the user should know; the turn goes on. */
  warning: lazySchema(() => openObject({ ...EVENT_PLACE, type: z.literal('warning'), message: z.string() })),
  /** News of the agent that has no event of its own, such as a retry: `code` says what, `data` has the facts. */
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

/** The name of an event that we write. A newer server may send others. */
export type PublicEventType = keyof typeof EVENT_SCHEMAS;

/** An event as it is written: the log adds the rest. */
export type PublicEventBody = z.infer<typeof eventBodySchema>;
/** The body of one type. */
export type PublicEventBodyOf<Type extends PublicEventType> = Extract<PublicEventBody, { readonly type: Type }>;

/** What the log adds to each event when it is read. */
export const eventEnvelopeSchema = lazySchema(() =>
  openObject({
    /** Place in the session: 1, 2, 3 … without holes, the same after every restart. */
    seq: z.number(),
    /** Made of the seq, and sorted like it; both are a place to resume from. */
    id: z.string(),
    type: z.string(),
    session_id: z.string(),
    /** Epoch milliseconds. */
    created_at: z.number(),
  }),
);
export type EventEnvelope = z.infer<typeof eventEnvelopeSchema>;

/** An event as it is read; types that we do not know pass as they came. */
export const publicEventSchema = lazySchema(() => z.intersection(eventEnvelopeSchema, eventBodySchema));
export type PublicEvent = EventEnvelope & PublicEventBody;
