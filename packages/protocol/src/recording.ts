import * as z from 'zod/mini';
import { lazySchema } from './lazy-schema.js';
import { openObject } from './open-object.js';

export const RECORDING_VERSION = 1;

/** The first line of a recording. `started_at` is an ISO time; other times are relative to it. */
export const recordingHeadSchema = lazySchema(() =>
  openObject({ recording: z.number(), started_at: z.string(), qwen_version: z.optional(z.string()) }),
);

/**
 * A line of the client (`in`) or the program (`out`) without its line end, or the exit of the program. `t` is
 * milliseconds since the start.
 */
export const recordingEntrySchema = lazySchema(() =>
  z.union([
    openObject({ t: z.number(), in: z.string() }),
    openObject({ t: z.number(), out: z.string() }),
    openObject({ t: z.number(), exit: z.number() }),
  ]),
);
export type RecordingEntry = z.infer<typeof recordingEntrySchema>;
