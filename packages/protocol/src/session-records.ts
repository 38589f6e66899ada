import * as z from 'zod/mini';
import { contentBlockSchema } from './content.js';
import { lazySchema } from './lazy-schema.js';
import { openObject } from './open-object.js';
import { usageSchema } from './usage.js';

/** Version of the session file. A file with a larger one is refused (`session_newer_version`), never rewritten. */
export const SESSION_FILE_VERSION = 1;

const isoTime = z.string();

const contentSchema = lazySchema(() => z.union([z.string(), z.array(contentBlockSchema)]));

const userRecordSchema = lazySchema(() =>
  openObject({
    type: z.literal('user'),
    uuid: z.string(),
    at: isoTime,
    content: contentSchema,
    /** The call of the task tool, for what a subagent says; such records are no part of the main conversation. */
    parent_tool_use_id: z.optional(z.string()),
  }),
);

const assistantRecordSchema = lazySchema(() =>
  openObject({
    type: z.literal('assistant'),
    uuid: z.string(),
    at: isoTime,
    model: z.string(),
    content: z.array(contentBlockSchema),
    stop_reason: z.string(),
    usage: usageSchema,
    /** `client`: its call was asked for by the app, and no model was called. Default: the model. */
    requested_by: z.optional(z.literal('client')),
    parent_tool_use_id: z.optional(z.string()),
  }),
);

const toolResultRecordSchema = lazySchema(() =>
  openObject({
    type: z.literal('tool_result'),
    uuid: z.string(),
    at: isoTime,
    tool_use_id: z.string(),
    tool_name: z.string(),
    content: contentSchema,
    is_error: z.boolean(),
    parent_tool_use_id: z.optional(z.string()),
  }),
);

/** Something that nobody said and that the model reads with the next prompt. */
const noteRecordSchema = lazySchema(() =>
  openObject({ type: z.literal('note'), uuid: z.string(), at: isoTime, text: z.string() }),
);

/** A record that is part of a conversation by itself: of these a conversation can be made anew. */
export const conversationRecordSchema = lazySchema(() =>
  z.discriminatedUnion('type', [userRecordSchema, assistantRecordSchema, toolResultRecordSchema, noteRecordSchema]),
);
export type ConversationRecord = z.infer<typeof conversationRecordSchema>;

/**
 * One line of a session file. The first line is `session`; the rest is append-only. `uuid` is the id
 * under which the message went out on the stream.
 */
export const sessionRecordSchema = lazySchema(() =>
  z.discriminatedUnion('type', [
    openObject({
      type: z.literal('session'),
      version: z.number(),
      session_id: z.string(),
      cwd: z.string(),
      created_at: isoTime,
      /** The session that this one was forked from. */
      forked_from: z.optional(z.string()),
    }),
    userRecordSchema,
    assistantRecordSchema,
    toolResultRecordSchema,
    noteRecordSchema,
    openObject({ type: z.literal('turn_end'), at: isoTime, outcome: z.string(), usage: usageSchema }),
    /** The mode was switched. */
    openObject({ type: z.literal('permission_mode'), at: isoTime, mode: z.string() }),
    /** The session was given a title; the last one counts. */
    openObject({ type: z.literal('title'), at: isoTime, title: z.string() }),
    /** What stood before is from now on this summary to the model, but for the last messages; the records stay. */
    openObject({
      type: z.literal('compaction'),
      at: isoTime,
      trigger: z.enum(['auto', 'manual']),
      summary: z.string(),
      /** Messages at the end of the conversation, as the model reads them, that stay as they are. Default: none. */
      kept_messages: z.optional(z.number()),
      tokens_before: z.optional(z.number()),
      tokens_after: z.optional(z.number()),
      /** What the summary took, where it is no part of a turn. */
      usage: z.optional(usageSchema),
      parent_tool_use_id: z.optional(z.string()),
    }),
    /** What stood before is no part of the conversation any more; the records stay. */
    openObject({ type: z.literal('cleared'), at: isoTime }),
    /** The conversation is from now on that of these records and of nothing before; the records stay. */
    openObject({ type: z.literal('restored'), at: isoTime, records: z.array(conversationRecordSchema) }),
    /** The app had a tool run by itself: no part of the conversation. */
    openObject({
      type: z.literal('client_call'),
      uuid: z.string(),
      at: isoTime,
      tool_use_id: z.string(),
      tool_name: z.string(),
      input: z.unknown(),
      content: contentSchema,
      is_error: z.boolean(),
    }),
  ]),
);
export type SessionRecord = z.infer<typeof sessionRecordSchema>;

/** What the lock file of a session says about the process that writes the session. */
export const sessionLockSchema = lazySchema(() =>
  openObject({
    pid: z.number(),
    /** Tells the process from a later one with the same pid; null where the system has no such mark. */
    start_time: z.nullable(z.string()),
    since: isoTime,
    /** New for each lock. */
    nonce: z.string(),
  }),
);
export type SessionLockOwner = z.infer<typeof sessionLockSchema>;
