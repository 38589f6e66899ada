import * as z from 'zod/mini';
import { contentBlockSchema } from './content.js';
import { lazySchema } from './lazy-schema.js';
import { openObject } from './open-object.js';
import { usageSchema } from './usage.js';

/** Version of the session file. A newer file is rejected (`session_newer_version`), never rewritten. */
export const SESSION_FILE_VERSION = 1;

const isoTime = z.string();

const contentSchema = lazySchema(() => z.union([z.string(), z.array(contentBlockSchema)]));

const userRecordSchema = lazySchema(() =>
  openObject({
    type: z.literal('user'),
    uuid: z.string(),
    at: isoTime,
    content: contentSchema,
    /** True: the program wrote it, not a person or an app. */
    is_synthetic: z.optional(z.boolean()),
    /** The task call, for records of a subagent; they are not part of the main conversation. */
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
    /** `client`: the app requested the call, without a model. Default: the model. */
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
    /** As in the message, if it is short. */
    tool_use_result: z.optional(z.unknown()),
    parent_tool_use_id: z.optional(z.string()),
  }),
);

/** A note that the model reads with the next prompt, or before its next answer if it is a message. */
const noteRecordSchema = lazySchema(() =>
  openObject({
    type: z.literal('note'),
    uuid: z.string(),
    at: isoTime,
    text: z.string(),
    is_message: z.optional(z.boolean()),
  }),
);

const conversationRecordSchema = lazySchema(() =>
  z.discriminatedUnion('type', [userRecordSchema, assistantRecordSchema, toolResultRecordSchema, noteRecordSchema]),
);
export type ConversationRecord = z.infer<typeof conversationRecordSchema>;

/**
 * A line of a session file. The first is `session`; the rest is append-only. `uuid` is the id of the message on the
 * stream.
 */
export const sessionRecordSchema = lazySchema(() =>
  z.discriminatedUnion('type', [
    openObject({
      type: z.literal('session'),
      version: z.number(),
      session_id: z.string(),
      cwd: z.string(),
      created_at: isoTime,
      /** The session this one was forked from. */
      forked_from: z.optional(z.string()),
    }),
    userRecordSchema,
    assistantRecordSchema,
    toolResultRecordSchema,
    noteRecordSchema,
    openObject({ type: z.literal('turn_end'), at: isoTime, outcome: z.string(), usage: usageSchema }),
    openObject({ type: z.literal('permission_mode'), at: isoTime, mode: z.string() }),
    /** The last title counts. */
    openObject({ type: z.literal('title'), at: isoTime, title: z.string() }),
    /** Compaction: the summary replaces earlier messages for the model, except the last ones. The records stay. */
    openObject({
      type: z.literal('compaction'),
      at: isoTime,
      trigger: z.enum(['auto', 'manual']),
      summary: z.string(),
      /** Last messages kept unchanged. Default: none. */
      kept_messages: z.optional(z.number()),
      tokens_before: z.optional(z.number()),
      tokens_after: z.optional(z.number()),
      /** Usage of the summary, if it is not part of a turn. */
      usage: z.optional(usageSchema),
      parent_tool_use_id: z.optional(z.string()),
    }),
    /** Clears the conversation; the records stay. */
    openObject({ type: z.literal('cleared'), at: isoTime }),
    /** Replaces the conversation by these records; earlier records stay. */
    openObject({
      type: z.literal('restored'),
      at: isoTime,
      records: z.array(conversationRecordSchema),
      /** After a rewind: the user message before which the conversation now ends. */
      rewound_to: z.optional(z.string()),
    }),
    /** A tool run by the app or the user, part of the conversation only if it is shared. */
    openObject({
      type: z.literal('client_call'),
      uuid: z.string(),
      at: isoTime,
      tool_use_id: z.string(),
      tool_name: z.string(),
      input: z.unknown(),
      content: contentSchema,
      is_error: z.boolean(),
      /** The model reads it with the next prompt. */
      is_shared: z.optional(z.boolean()),
    }),
  ]),
);
export type SessionRecord = z.infer<typeof sessionRecordSchema>;

/** A file at some time. Content is stored by its SHA-256. */
const fileStateSchema = lazySchema(() =>
  z.discriminatedUnion('kind', [
    openObject({ kind: z.literal('missing') }),
    openObject({ kind: z.literal('file'), hash: z.string(), size: z.number(), mode: z.number() }),
    openObject({ kind: z.literal('link'), target: z.string() }),
    /** It cannot be restored. */
    openObject({ kind: z.literal('unkept'), reason: z.string() }),
  ]),
);
export type FileState = z.infer<typeof fileStateSchema>;

/** A line of the file history of a session. Append-only. */
export const fileHistoryRecordSchema = lazySchema(() =>
  z.discriminatedUnion('type', [
    /** Written before the change. */
    openObject({
      type: z.literal('before'),
      id: z.string(),
      at: isoTime,
      /** The last user message before the change; '' before the first. */
      message_id: z.string(),
      /** Absolute, without links. */
      path: z.string(),
      state: fileStateSchema,
      /** The first folder that did not exist. */
      new_folder: z.optional(z.string()),
    }),
    /** The last one of an id counts. Missing: the program ended first. */
    openObject({ type: z.literal('after'), id: z.string(), state: fileStateSchema }),
  ]),
);
export type FileHistoryRecord = z.infer<typeof fileHistoryRecordSchema>;

/** The lock file of a session: the process that writes it. */
export const sessionLockSchema = lazySchema(() =>
  openObject({
    pid: z.number(),
    /** Distinguishes the process from a later one with the same pid; null where unavailable. */
    start_time: z.nullable(z.string()),
    since: isoTime,
    /** Unique per lock. */
    nonce: z.string(),
  }),
);
export type SessionLockOwner = z.infer<typeof sessionLockSchema>;
