import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';

/** `~/.qwen/server/server.json`: how local programs of this user find a running server. Readable by the user only. */
export const runningServerSchema = lazySchema(() =>
  z.looseObject({
    url: z.string(),
    token: z.string(),
    pid: z.int().check(z.positive()),
    /** Start time in clock ticks since boot (Linux); null elsewhere. */
    start_time: z.nullable(z.string()),
  }),
);

export type RunningServer = z.infer<typeof runningServerSchema>;
