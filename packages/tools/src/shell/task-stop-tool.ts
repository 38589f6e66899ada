import type { Tool } from '@qwen/agent';
import * as z from 'zod/mini';
import { defineTool } from '../define-tool.js';
import type { BackgroundTasks } from './background-tasks.js';

export const taskStopInput = z.lazy(() => z.object({ task_id: z.string().check(z.minLength(1)) }));

export function taskStopTool(background: BackgroundTasks): Tool<z.output<typeof taskStopInput>> {
  return defineTool({
    name: 'task_stop',
    description: 'Stop a background command.',
    input: taskStopInput,
    async execute({ task_id: taskId }) {
      const task = background.find(taskId);
      const wasRunning = task.status === 'running';
      const { command, status } = await background.stop(taskId);
      task.isEndKnown = true;
      const message = wasRunning ? `${taskId} was stopped.` : `${taskId} had already ended: ${status}.`;
      return { content: message, structured: { message, task_id: taskId, task_type: 'local_bash', command } };
    },
  });
}
