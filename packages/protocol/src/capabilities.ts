import * as z from 'zod/mini';
import { openObject } from './open-object.js';

/** What this end can do: 003's four members, then additive flags. */
export const capabilitiesSchema = openObject({
  tools: z.array(z.string()),
  mcpServers: z.boolean(),
  hooks: z.boolean(),
  permissionControl: z.boolean(),
  /** The agent obeys `set_output_flow`. */
  outputFlow: z.optional(z.boolean()),
  /** The agent takes `mcp_notification`. */
  mcpNotifications: z.optional(z.boolean()),
  /** The agent writes `chat.completion.chunk` lines when asked for. */
  chatCompletionChunk: z.optional(z.boolean()),
  /** Control requests are understood in both directions. */
  controlChannel: z.optional(z.boolean()),
  /** `heartbeat_request` is answered. */
  heartbeat: z.optional(z.boolean()),
  /** `command_hint_request` is answered. */
  commandHints: z.optional(z.boolean()),
});
export type Capabilities = z.infer<typeof capabilitiesSchema>;
