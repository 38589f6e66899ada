import * as z from 'zod/mini';

/** Place of an event in its session. */
export const EVENT_PLACE = {
  /** The thread: the session's primary one, or a subagent's. */
  session_thread_id: z.string(),
  /** The turn; missing between turns. */
  turn_id: z.optional(z.string()),
  /** The task call of a subagent; null for the main agent. */
  parent_tool_use_id: z.optional(z.nullable(z.string())),
};

/** Place of an event in one answer of the model. */
export const MESSAGE_PLACE = { ...EVENT_PLACE, message_id: z.string() };
