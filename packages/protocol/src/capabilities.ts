import * as z from 'zod/mini';
import { openObject } from './open-object.js';

export const capabilitiesSchema = openObject({
  tools: z.array(z.string()),
  mcpServers: z.boolean(),
  hooks: z.boolean(),
  permissionControl: z.boolean(),
  /** The agent supports `set_output_flow`. */
  outputFlow: z.optional(z.boolean()),
  mcpNotifications: z.optional(z.boolean()),
  /** The agent can write `chat.completion.chunk` lines. */
  chatCompletionChunk: z.optional(z.boolean()),
  /** Control requests work in both directions. */
  controlChannel: z.optional(z.boolean()),
  /** `heartbeat_request` is supported. */
  heartbeat: z.optional(z.boolean()),
  commandHints: z.optional(z.boolean()),
});
export type Capabilities = z.infer<typeof capabilitiesSchema>;
