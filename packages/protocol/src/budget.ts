import * as z from 'zod/mini';
import { lazySchema } from './lazy-schema.js';
import { openObject } from './open-object.js';

/** Limits per prompt, including its subagents. A missing member means no limit. */
export const budgetSchema = lazySchema(() =>
  openObject({
    /** Milliseconds of wall-clock time. */
    wallMs: z.optional(z.number()),
    turns: z.optional(z.number()),
    toolCalls: z.optional(z.number()),
    /** Input plus output tokens, as counted by the provider. */
    tokens: z.optional(z.number()),
    /** US dollars. Needs known prices. */
    usd: z.optional(z.number()),
  }),
);
export type Budget = z.infer<typeof budgetSchema>;
