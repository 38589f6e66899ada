import * as z from 'zod/mini';
import { lazySchema } from './lazy-schema.js';
import { openObject } from './open-object.js';

/** A line of the prompt history. `text` is complete; `folds` are its pasted ranges, in UTF-16 units and in order. */
export const promptRecordSchema = lazySchema(() =>
  openObject({
    at: z.string(),
    text: z.string(),
    folds: z.optional(z.array(z.object({ start: z.number(), length: z.number() }))),
  }),
);
export type PromptRecord = z.infer<typeof promptRecordSchema>;
