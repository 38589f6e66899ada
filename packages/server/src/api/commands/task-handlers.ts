import { defined } from '@qwen/protocol';
import type { BackgroundTask } from '@qwen/sdk';
import type { SessionService } from '../../core/session-service.js';
import type { ChatHandlersOf } from '../http/chat-call.js';

type TaskRoutes = '/api/tasks/list' | '/api/tasks/output' | '/api/tasks/stop';

export function taskHandlers(
  sessions: Pick<SessionService, 'tasks' | 'taskOutput' | 'stopTask'>,
): ChatHandlersOf<TaskRoutes> {
  return {
    '/api/tasks/list': async ({ sessionId }) => ({ tasks: (await sessions.tasks(sessionId)).map(toListed) }),
    '/api/tasks/output': async ({ sessionId, taskId }) => ({
      taskId,
      output: await sessions.taskOutput(sessionId, taskId),
    }),
    '/api/tasks/stop': async ({ sessionId, taskId }) => {
      await sessions.stopTask(sessionId, taskId);
      return { success: true, taskId };
    },
  };
}

/** Without the path of the saved output, which is outside of the workspace. */
function toListed(task: BackgroundTask) {
  const { task_id: taskId, tool_use_id: callId, command, status, description, note } = task;
  const { duration_ms: durationMs, output_bytes: outputBytes } = task;
  return { taskId, callId, command, status, durationMs, outputBytes, ...defined({ description, note }) };
}
