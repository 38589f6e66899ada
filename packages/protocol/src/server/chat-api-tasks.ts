import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';
import { TASK_STATUSES } from '../task-status.js';
import { type ChatRoute, NO_SESSION, nonEmptyText, sessionIdField, sessionOnlySchema } from './chat-api-fields.js';

const oneTask = lazySchema(() => z.object({ sessionId: sessionIdField, taskId: nonEmptyText('From the list.') }));
const NO_TASK = 'The session or the command does not exist.';

/** Background commands of a session. */
export const TASK_ROUTES = {
  '/api/tasks/list': {
    scope: 'read',
    meaning:
      'Lists the background commands of a session that run or have ended, oldest first. The list is empty while the session has no agent.',
    request: sessionOnlySchema,
    response: lazySchema(() =>
      z.object({
        tasks: z.array(
          z.object({
            taskId: z.string(),
            callId: z.string().check(z.describe('The tool call that started it.')),
            command: z.string(),
            description: z.optional(z.string()),
            status: z.enum(TASK_STATUSES),
            note: z.optional(z.string().check(z.describe('How it ended, such as `exit code 1`.'))),
            durationMs: z.number(),
            outputBytes: z.number().check(z.describe('Size of its whole output.')),
          }),
        ),
      }),
    ),
    failures: { 404: NO_SESSION },
  },
  '/api/tasks/output': {
    scope: 'read',
    meaning: 'Returns the last 256 KiB of the output of a background command.',
    request: oneTask,
    response: lazySchema(() => z.object({ taskId: z.string(), output: z.string() })),
    failures: { 404: NO_TASK },
  },
  '/api/tasks/stop': {
    scope: 'write',
    meaning: 'Stops a background command with all its processes. Responds when it has ended, also if it had before.',
    request: oneTask,
    response: lazySchema(() => z.object({ success: z.literal(true), taskId: z.string() })),
    failures: { 404: NO_TASK },
  },
} as const satisfies Record<string, ChatRoute>;
