import * as z from 'zod/mini';

/** Where in its session an event belongs. */
export const EVENT_PLACE = {
  /** The thread: the primary one of the session, or that of a subagent. */
  session_thread_id: z.string(),
  /** The turn; missing for what happens between turns. */
  turn_id: z.optional(z.string()),
  /** The call of the task tool on whose behalf a subagent acts; null for the main agent. */
  parent_tool_use_id: z.optional(z.nullable(z.string())),
};

/** The same for what belongs to one answer of the model. */
export const MESSAGE_PLACE = { ...EVENT_PLACE, message_id: z.string() };
