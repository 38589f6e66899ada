import type { Tool } from '@qwen/agent';
import * as z from 'zod/mini';
import { defineTool } from '../define-tool.js';

export const todoInput = z.lazy(() =>
  z.object({
    todos: z.array(
      z.object({
        id: z.string(),
        content: z.string().check(z.minLength(1)),
        status: z.enum(['pending', 'in_progress', 'completed']),
      }),
    ),
  }),
);

/** `todo_write`. The list is stored only in the conversation. */
export function todoTool(): Tool<z.output<typeof todoInput>> {
  return defineTool({
    name: 'todo_write',
    description: 'Show your plan for longer work. Send the whole list each time.',
    input: todoInput,
    adapt: ({ todos, ...others }) => ({ ...others, todos: Array.isArray(todos) ? todos.map(toEntry) : todos }),
    execute: ({ todos }) => {
      const open = todos.filter(({ status }) => status !== 'completed').length;
      return Promise.resolve({
        content: `The list has ${todos.length} ${todos.length === 1 ? 'entry' : 'entries'}, ${open} open.`,
        display: { kind: 'todos', todos },
        structured: { newTodos: todos },
      });
    },
  });
}

function toEntry(entry: unknown, index: number): unknown {
  const id = String(index + 1);
  if (typeof entry === 'string') return { id, content: entry, status: 'pending' };
  return typeof entry === 'object' && entry !== null ? { id, status: 'pending', ...entry } : entry;
}
