import * as z from 'zod/mini';
import { contentBlockSchema } from './content.js';
import { lazySchema } from './lazy-schema.js';
import { openObject } from './open-object.js';
import { usageSchema } from './usage.js';

/** Version of the session file. A file with a larger one is refused (`session_newer_version`), never rewritten. */
export const SESSION_FILE_VERSION = 1;

const isoTime = z.string();

/**
 * One line of a session file (DESIGN §7). The first line is `session`; the rest is append-only. `uuid` is the id
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
    openObject({
      type: z.literal('user'),
      uuid: z.string(),
      at: isoTime,
      content: z.union([z.string(), z.array(contentBlockSchema)]),
      /** The call of the task tool, for what a subagent says; such records are no part of the main conversation. */
      parent_tool_use_id: z.optional(z.string()),
    }),
    openObject({
      type: z.literal('assistant'),
      uuid: z.string(),
      at: isoTime,
      model: z.string(),
      content: z.array(contentBlockSchema),
      stop_reason: z.string(),
      usage: usageSchema,
      parent_tool_use_id: z.optional(z.string()),
    }),
    openObject({
      type: z.literal('tool_result'),
      uuid: z.string(),
      at: isoTime,
      tool_use_id: z.string(),
      tool_name: z.string(),
      content: z.union([z.string(), z.array(contentBlockSchema)]),
      is_error: z.boolean(),
      parent_tool_use_id: z.optional(z.string()),
    }),
    openObject({ type: z.literal('turn_end'), at: isoTime, outcome: z.string(), usage: usageSchema }),
    /** The mode was switched (M-59). */
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
      parent_tool_use_id: z.optional(z.string()),
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
