import { escapeHidden } from '@qwen/protocol';
import { useMemo } from 'preact/hooks';
import { Todos } from '../call/call-detail.js';
import { describeCall, type Todo } from '../call/describe-call.js';
import type { Conversation } from '../conversation/conversation.js';

/** The newest task list of the main agent, until all is done. */
export function TodoPanel({ conversation }: { readonly conversation: Conversation }) {
  const { entries } = conversation;
  const todos = useMemo(() => newestTodos(conversation), [entries]);
  if (todos.every(({ status }) => status === 'completed')) return null;
  const done = todos.filter(({ status }) => status === 'completed').length;
  const current = todos.find(({ status }) => status === 'in_progress');
  return (
    <details class="todo-panel">
      <summary>
        Tasks: {done} of {todos.length} done
        {current !== undefined && <span class="muted"> · {escapeHidden(current.content)}</span>}
      </summary>
      <Todos todos={todos} />
    </details>
  );
}

function newestTodos({ entries }: Conversation): readonly Todo[] {
  for (const entry of entries.toReversed()) {
    if (entry.kind !== 'answer' || entry.parentToolUseId !== null) continue;
    const call = entry.blocks.findLast((block) => block.type === 'tool' && block.name === 'todo_write');
    if (call?.type !== 'tool' || call.input === undefined) continue;
    const { detail } = describeCall(call.name, call.input);
    if (detail.kind === 'todos') return detail.todos;
  }
  return [];
}
