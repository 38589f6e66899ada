import * as z from 'zod/mini';
import { assistantMessageSchema, userMessageSchema } from '../agent-messages.js';
import { lazySchema } from '../lazy-schema.js';
import { nullish } from '../nullish.js';
import { openObject } from '../open-object.js';
import type { ControlRequestSpec } from './request-spec.js';

const one = lazySchema(() => openObject({ session_id: z.string() }));

/** A stored session, for lists. */
export const sessionInfoSchema = lazySchema(() =>
  openObject({
    session_id: z.string(),
    cwd: z.string(),
    created_at: z.string(),
    /** ISO time of the last record. */
    modified_at: z.string(),
    size_bytes: z.optional(z.number()),
    title: z.optional(z.string()),
    first_prompt: z.optional(z.string()),
    forked_from: z.optional(z.string()),
  }),
);
export type SessionInfo = z.infer<typeof sessionInfoSchema>;

export const STORED_SESSION_REQUESTS = {
  list_sessions: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning: 'Lists the stored sessions, most recently used first.',
    payload: lazySchema(() =>
      openObject({
        /** Only sessions started in this folder. */
        cwd: nullish(z.string()),
        limit: nullish(z.number()),
        /** `next_cursor` of the previous page. */
        cursor: nullish(z.string()),
      }),
    ),
    result: lazySchema(() => openObject({ sessions: z.array(sessionInfoSchema), next_cursor: z.optional(z.string()) })),
  },
  get_session_messages: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning: 'Returns the messages of a stored session, oldest first.',
    payload: lazySchema(() =>
      openObject({ session_id: z.string(), limit: nullish(z.number()), cursor: nullish(z.string()) }),
    ),
    result: lazySchema(() =>
      openObject({
        messages: z.array(z.discriminatedUnion('type', [userMessageSchema, assistantMessageSchema])),
        next_cursor: z.optional(z.string()),
      }),
    ),
  },
  rename_session: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning: 'Gives a stored session a title.',
    payload: lazySchema(() => openObject({ session_id: z.string(), title: z.string() })),
    result: lazySchema(() => sessionInfoSchema),
  },
  delete_session: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning: 'Deletes a stored session permanently. Refused while the session is in use.',
    payload: one,
    result: lazySchema(() => openObject({ deleted: z.boolean() })),
  },
  fork_session: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning: 'Copies a stored session, up to `up_to_message_id` if present.',
    payload: lazySchema(() =>
      openObject({
        session_id: z.string(),
        /** The last message to copy. Default: all. */
        up_to_message_id: nullish(z.string()),
        new_session_id: nullish(z.string()),
      }),
    ),
    result: lazySchema(() => sessionInfoSchema),
  },
} as const satisfies Record<string, ControlRequestSpec>;
