import type { ToolDisplay } from '@qwen/agent';
import { exitPlanInput, todoInput } from '@qwen/tools';

/**
 * What a screen shows of a stored call that went well, where what it was called with tells that; undefined for all else. Such
 * results say less to the model than to a person, and session files hold what the model reads.
 */
export function pastDisplay(toolName: string, input: unknown): ToolDisplay | undefined {
  if (toolName === 'todo_write') {
    const parsed = todoInput.safeParse(input);
    return parsed.success ? { kind: 'todos', todos: parsed.data.todos } : undefined;
  }
  if (toolName !== 'exit_plan_mode') return undefined;
  const parsed = exitPlanInput.safeParse(input);
  return parsed.success ? { kind: 'plan', message: 'The plan was approved.', plan: parsed.data.plan } : undefined;
}
