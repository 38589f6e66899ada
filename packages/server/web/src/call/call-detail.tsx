import { DiffView } from '../diff/diff-view.js';
import { CodeBlock } from '../markdown/code-block.js';
import { Markdown } from '../markdown/markdown.js';
import type { CallDetail, Todo } from './describe-call.js';

export interface CallDetailViewProps {
  readonly detail: CallDetail;
  /** What a file that is written holds before; missing when that is not known. */
  readonly before?: string | undefined;
}

/** Everything that a call is about: nothing of a command or a change is left out. */
export function CallDetailView({ detail, before }: CallDetailViewProps) {
  switch (detail.kind) {
    case 'command':
      return (
        <>
          {detail.folder !== undefined && <p class="muted">in {detail.folder}</p>}
          <CodeBlock text={detail.command} language="shell" />
        </>
      );
    case 'edit':
      return <DiffView before={detail.before} after={detail.after} label={`Change of ${detail.path}`} />;
    case 'write':
      return before === undefined ? (
        <CodeBlock text={detail.content} language={`all of ${detail.path}`} />
      ) : (
        <DiffView before={before} after={detail.content} label={`Change of ${detail.path}`} />
      );
    case 'plan':
      return <Markdown text={detail.plan} />;
    case 'task':
      return <Markdown text={detail.prompt} />;
    case 'todos':
      return <Todos todos={detail.todos} />;
    case 'questions':
      return (
        <ul>
          {detail.questions.map(({ question }) => (
            <li>{question}</li>
          ))}
        </ul>
      );
    case 'other':
      return detail.text === '' ? null : <CodeBlock text={detail.text} language="" />;
  }
}

const TODO_LABELS = { pending: 'to do', in_progress: 'in work', completed: 'done' } as const;

function Todos({ todos }: { readonly todos: readonly Todo[] }) {
  return (
    <ul class="todos">
      {todos.map(({ content, status }) => (
        <li class={status}>
          {content} <span class="muted">({TODO_LABELS[status]})</span>
        </li>
      ))}
    </ul>
  );
}
