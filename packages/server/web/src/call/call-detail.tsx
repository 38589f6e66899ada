import { escapeHidden } from '@qwen/protocol';
import { useMemo } from 'preact/hooks';
import { DiffView } from '../diff/diff-view.js';
import { CodeBlock } from '../markdown/code-block.js';
import { Markdown } from '../markdown/markdown.js';
import type { CallDetail, Todo } from './describe-call.js';

export interface CallDetailViewProps {
  readonly detail: CallDetail;
  /** Current content of a file to be written or edited, if known. */
  readonly before?: string | undefined;
  /** Whether nothing of a long change may be left out, as in a question. */
  readonly isWhole?: boolean | undefined;
}

/** The complete details of a call. */
export function CallDetailView({ detail, before, isWhole }: CallDetailViewProps) {
  switch (detail.kind) {
    case 'command':
      return (
        <>
          {detail.folder !== undefined && <p class="muted">in {escapeHidden(detail.folder)}</p>}
          <CodeBlock text={detail.command} language="shell" />
        </>
      );
    case 'edit':
      return <EditDetail detail={detail} before={before} isWhole={isWhole} />;
    case 'write':
      return before === undefined ? (
        <CodeBlock text={detail.content} language={detail.path} />
      ) : (
        <DiffView before={before} after={detail.content} label={`Changes to ${detail.path}`} isWhole={isWhole} />
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
            <li>{escapeHidden(question)}</li>
          ))}
        </ul>
      );
    case 'other':
      return detail.text === '' ? null : <CodeBlock text={detail.text} language="" />;
  }
}

interface EditDetailProps extends Pick<CallDetailViewProps, 'before' | 'isWhole'> {
  readonly detail: Extract<CallDetail, { readonly kind: 'edit' }>;
}

/** Every replacement in the file as it is now, or only the texts if the file is not known. */
function EditDetail({ detail, before, isWhole }: EditDetailProps) {
  const label = `Changes to ${detail.path}`;
  const { count } = detail;
  const edited = useMemo(() => (before === undefined ? undefined : applyEdit(before, detail)), [before, detail]);
  if (edited !== undefined) {
    return (
      <>
        {edited.count > 1 && <p>{edited.count} replacements</p>}
        <DiffView before={edited.before} after={edited.after} label={label} isWhole={isWhole} />
      </>
    );
  }
  return (
    <>
      {count !== 1 && (
        <p>
          {count === undefined
            ? 'Replaces every occurrence in the file.'
            : `Replaces ${count} occurrences in the file.`}
        </p>
      )}
      <p class="muted">The line numbers are those of the replaced text.</p>
      <DiffView before={detail.before} after={detail.after} label={label} isWhole={isWhole} />
    </>
  );
}

/** Edits as the edit tool does; undefined if it would fail. */
function applyEdit(text: string, { before: wanted, after, count }: EditDetailProps['detail']) {
  const [before, oldText, newText] = [text, wanted, after].map((one) => one.replaceAll('\r\n', '\n'));
  if (before === undefined || oldText === undefined || newText === undefined) return undefined;
  if (oldText === '') return before === '' ? { before, after: newText, count: 1 } : undefined;
  const parts = before.split(oldText);
  const found = parts.length - 1;
  if (found === 0 || (count !== undefined && found !== count)) return undefined;
  return { before, after: parts.join(newText), count: found };
}

const TODO_LABELS = { pending: 'to do', in_progress: 'in progress', completed: 'done' } as const;

export function Todos({ todos }: { readonly todos: readonly Todo[] }) {
  return (
    <ul class="todos">
      {todos.map(({ content, status }) => (
        <li class={status}>
          {escapeHidden(content)} <span class="muted">({TODO_LABELS[status]})</span>
        </li>
      ))}
    </ul>
  );
}
