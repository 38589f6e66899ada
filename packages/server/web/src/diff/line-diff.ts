import { structuredPatch } from 'diff';

/** `gap` replaces omitted equal lines. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'gap';
  readonly text: string;
  /** Line numbers from 1; undefined if the line is not in that text. */
  readonly before?: number;
  readonly after?: number;
}

/** Diffs of texts with little in common are slow and not useful. */
const MAX_EDITS = 1000;

export function diffLines(before: string, after: string): DiffLine[] {
  const patch = structuredPatch('', '', before, after, '', '', { context: 3, maxEditLength: MAX_EDITS });
  if (patch === undefined) return [...asWhole(before, 'removed'), ...asWhole(after, 'added')];
  return patch.hunks.flatMap((hunk, index) => {
    let { oldStart, newStart } = hunk;
    const lines = hunk.lines.flatMap((line): DiffLine[] => {
      const text = line.slice(1);
      if (line.startsWith('+')) return [{ kind: 'added', text, after: newStart++ }];
      if (line.startsWith('-')) return [{ kind: 'removed', text, before: oldStart++ }];
      if (line.startsWith('\\')) return [];
      return [{ kind: 'same', text, before: oldStart++, after: newStart++ }];
    });
    return index === 0 ? lines : [{ kind: 'gap', text: '' }, ...lines];
  });
}

function asWhole(text: string, kind: 'added' | 'removed'): DiffLine[] {
  const lines = text.endsWith('\n') ? text.slice(0, -1) : text;
  if (lines === '') return [];
  return lines
    .split('\n')
    .map((line, index) => ({ kind, text: line, [kind === 'added' ? 'after' : 'before']: index + 1 }));
}
