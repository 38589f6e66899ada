import * as z from 'zod/mini';
import { lazySchema } from './lazy-schema.js';
import { openObject } from './open-object.js';

/** What one prompt may use up, its subagents included. Members that are missing have no limit. */
export const budgetSchema = lazySchema(() =>
  openObject({
    /** Wall-clock milliseconds. */
    wallMs: z.optional(z.number()),
    /** Model calls. */
    turns: z.optional(z.number()),
    toolCalls: z.optional(z.number()),
    /** Input and output tokens together, as the provider counts them. */
    tokens: z.optional(z.number()),
  }),
);
export type Budget = z.infer<typeof budgetSchema>;
