import { DiffView } from '../diff/diff-view.js';
import { CodeBlock } from '../markdown/code-block.js';
import { Markdown } from '../markdown/markdown.js';
import type { CallDetail, Todo } from './describe-call.js';

export interface CallDetailViewProps {
  readonly detail: CallDetail;
  /** Current content of a file to be written, if known. */
  readonly before?: string | undefined;
}

/** The complete details of a call. */
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
      return <DiffView before={detail.before} after={detail.after} label={`Changes to ${detail.path}`} />;
    case 'write':
      return before === undefined ? (
        <CodeBlock text={detail.content} language={detail.path} />
      ) : (
        <DiffView before={before} after={detail.content} label={`Changes to ${detail.path}`} />
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

const TODO_LABELS = { pending: 'to do', in_progress: 'in progress', completed: 'done' } as const;

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
