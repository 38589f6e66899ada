import { useMemo, useState } from 'preact/hooks';
import { type DiffLine, diffLines } from './line-diff.js';

export interface DiffViewProps {
  readonly before: string;
  readonly after: string;
  /** For screen readers. */
  readonly label: string;
  /** Whether a long diff is shown at once, without a button. */
  readonly isWhole?: boolean | undefined;
}

const SIGNS = { same: ' ', added: '+', removed: '−', gap: '⋯' } as const;
const SPOKEN = { same: '', added: 'added: ', removed: 'removed: ', gap: 'lines omitted' } as const;

const SHOWN_LINES = 400;

/** A line diff. Signs repeat what colors show. */
export function DiffView({ before, after, label, isWhole: beginsWhole = false }: DiffViewProps) {
  const [isWhole, setIsWhole] = useState(beginsWhole);
  const lines = useMemo(() => diffLines(before, after), [before, after]);
  const shown = isWhole ? lines : lines.slice(0, SHOWN_LINES);
  if (lines.length === 0) return <p class="muted">No changes.</p>;
  return (
    <div class="diff-box">
      <div class="diff" role="group" aria-label={label} tabIndex={0}>
        {shown.map((line) => (
          <Line line={line} />
        ))}
      </div>
      {shown.length < lines.length && (
        <button type="button" class="quiet" onClick={() => setIsWhole(true)}>
          Show {lines.length - shown.length} more lines
        </button>
      )}
    </div>
  );
}

function Line({ line: { kind, text, before, after } }: { readonly line: DiffLine }) {
  return (
    <div class={`diff-line ${kind}`}>
      <span class="line-number" aria-hidden="true">
        {after ?? before ?? ''}
      </span>
      <span class="sign" aria-hidden="true">
        {SIGNS[kind]}
      </span>
      <span class="visually-hidden">{SPOKEN[kind]}</span>
      <code>{text}</code>
    </div>
  );
}
