import type { TodoItem } from '@qwen/agent';
import { todoMark } from '../cards/todo-lines.js';
import { toShownInOne } from '../lines/shown-text.js';
import type { StyledLine } from '../lines/styled-line.js';
import { cutLine } from '../lines/wrap-line.js';

/** The open plan; the current entry stays visible. */
export function todoRows(
  todos: readonly TodoItem[],
  { columns, rows }: { readonly columns: number; readonly rows: number },
): readonly StyledLine[] {
  const first = Math.max(0, Math.min(todos.findIndex(({ status }) => status !== 'completed') - 1, todos.length - rows));
  return todos.slice(first, first + rows).map(({ status, content }) => {
    const isOver = status === 'completed';
    return cutLine([todoMark(status), { text: toShownInOne(content), ...(isOver && { dim: true as const }) }], columns);
  });
}

export function hasOpenTodos(todos: readonly TodoItem[]): boolean {
  return todos.some(({ status }) => status !== 'completed');
}
