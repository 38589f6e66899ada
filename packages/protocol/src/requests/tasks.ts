import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';
import { openObject } from '../open-object.js';
import { TASK_STATUSES } from '../task-status.js';
import type { ControlRequestSpec } from './request-spec.js';

/** Requests of the app about commands in the background. */
export const TASK_REQUESTS = {
  list_tasks: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning: 'Lists running and ended background commands, oldest first.',
    payload: lazySchema(() => openObject({})),
    result: lazySchema(() =>
      openObject({
        tasks: z.array(
          openObject({
            task_id: z.string(),
            /** The call that started it. */
            tool_use_id: z.string(),
            command: z.string(),
            description: z.optional(z.string()),
            status: z.enum(TASK_STATUSES),
            /** How it ended, such as `exit code 1`. */
            note: z.optional(z.string()),
            duration_ms: z.number(),
            output_bytes: z.number(),
            output_file: z.optional(z.string()),
          }),
        ),
      }),
    ),
  },
  get_task_output: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning: 'Returns the last part of the output of a background command.',
    payload: lazySchema(() => openObject({ task_id: z.string() })),
    result: lazySchema(() => openObject({ output: z.string() })),
  },
  stop_task: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning: 'Stops a background command with all its processes. Answers when it has ended.',
    payload: lazySchema(() => openObject({ task_id: z.string() })),
    result: z.unknown(),
  },
  background_tasks: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning: 'Moves the commands of running calls, or of one call, to the background; the calls return.',
    payload: lazySchema(() => openObject({ tool_use_id: z.optional(z.string()) })),
    /** How many moved. */
    result: lazySchema(() => openObject({ moved: z.number() })),
  },
} as const satisfies Record<string, ControlRequestSpec>;
