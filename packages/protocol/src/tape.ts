import * as z from 'zod/mini';
import { lazySchema } from './lazy-schema.js';
import { openObject } from './open-object.js';

/** The format of tapes that we write. */
export const TAPE_VERSION = 1;

/** The first line of a tape. `started_at` is an ISO time; the times of the other lines count from there. */
export const tapeHeadSchema = lazySchema(() =>
  openObject({ tape: z.number(), started_at: z.string(), qwen_version: z.optional(z.string()) }),
);

/**
 * One thing that crossed the pipe: a line of the host (`in`) or of the program (`out`) without its line end, or
 * how the program ended. `t` in milliseconds since the start.
 */
export const tapeEntrySchema = lazySchema(() =>
  z.union([
    openObject({ t: z.number(), in: z.string() }),
    openObject({ t: z.number(), out: z.string() }),
    openObject({ t: z.number(), exit: z.number() }),
  ]),
);
export type TapeEntry = z.infer<typeof tapeEntrySchema>;
