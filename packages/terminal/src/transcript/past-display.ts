import type { ToolDisplay } from '@qwen/agent';
import { exitPlanInput, todoInput } from '@qwen/tools';

/**
 * Reconstructs the display of a successful stored call from its input; undefined otherwise. Session files store only
 * the text for the model.
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
