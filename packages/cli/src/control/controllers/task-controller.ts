import type { TaskView } from '@qwen/agent';
import { AgentError, type ControlHandlers, type ControlResult, defined } from '@qwen/protocol';
import { agentFor, type ControlContext, type Controller } from './controller.js';

type Served = 'list_tasks' | 'get_task_output' | 'stop_task' | 'background_tasks';

/** Commands in the background. */
export class TaskController implements Controller {
  readonly handlers: Pick<ControlHandlers<'app'>, Served>;

  constructor({ agents }: Pick<ControlContext, 'agents'>) {
    this.handlers = {
      list_tasks: (_payload, context) => ({ tasks: (agentFor(agents, context).background?.list() ?? []).map(toTask) }),
      get_task_output: ({ task_id: taskId }, context) => {
        const { background } = agentFor(agents, context);
        if (background === undefined) throw noTask(taskId);
        return { output: background.output(taskId) };
      },
      stop_task: async ({ task_id: taskId }, context) => {
        const { background } = agentFor(agents, context);
        if (background === undefined) throw noTask(taskId);
        await background.stop(taskId);
        return {};
      },
      background_tasks: ({ tool_use_id: callId }, context) => ({
        moved: agentFor(agents, context).background?.moveToBackground(callId) ?? 0,
      }),
    };
  }
}

function noTask(taskId: string): AgentError {
  return new AgentError('task_not_found', `There is no background command "${taskId}": the session has not started.`);
}

function toTask(view: TaskView): ControlResult<'list_tasks'>['tasks'][number] {
  const { taskId, callId, command, status, durationMs, outputBytes, description, note, outputFile } = view;
  return {
    task_id: taskId,
    tool_use_id: callId,
    command,
    status,
    duration_ms: Math.round(durationMs),
    output_bytes: outputBytes,
    ...defined({ description, note, output_file: outputFile }),
  };
}
