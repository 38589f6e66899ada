import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';

/**
 * What a `qwen serve` that runs leaves for the programs of its user, in a file that nobody else can read:
 * `~/.qwen/server/server.json`.
 */
export const runningServerSchema = lazySchema(() =>
  z.looseObject({
    /** Such as `http://127.0.0.1:3000`. */
    url: z.string(),
    token: z.string(),
    pid: z.int().check(z.positive()),
    /** Clock ticks since boot at its start, as Linux counts them; null where the system does not tell. */
    start_time: z.nullable(z.string()),
  }),
);

export type RunningServer = z.infer<typeof runningServerSchema>;
