import * as z from 'zod/mini';
import { lazySchema } from './lazy-schema.js';
import { openObject } from './open-object.js';

/**
 * One line of a file of prompts that a person typed in a project, to be called back later. `text` is whole; `folds` are
 * the stretches of it that were pasted and are shown as one mark, in UTF-16 units and in their order.
 */
export const promptRecordSchema = lazySchema(() =>
  openObject({
    at: z.string(),
    text: z.string(),
    folds: z.optional(z.array(z.object({ start: z.number(), length: z.number() }))),
  }),
);
export type PromptRecord = z.infer<typeof promptRecordSchema>;
