import * as z from 'zod/mini';

export const EVENT_PLACE = {
  session_thread_id: z.string(),
  turn_id: z.optional(z.string()),
  /** The task call of a subagent; null for the main agent. */
  parent_tool_use_id: z.optional(z.nullable(z.string())),
};

export const MESSAGE_PLACE = { ...EVENT_PLACE, message_id: z.string() };
