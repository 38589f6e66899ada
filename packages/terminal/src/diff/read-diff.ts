/** Line numbers of the file, 1-based. */
export type DiffRow =
  | { readonly kind: 'same'; readonly text: string; readonly number: number }
  | { readonly kind: 'added'; readonly text: string; readonly number: number }
  | { readonly kind: 'removed'; readonly text: string; readonly number: number }
  | { readonly kind: 'gap' }
  | { readonly kind: 'note'; readonly text: string };

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

interface Rest {
  old: number;
  new: number;
}

/** Parses the unified diff of one file without its header. Unknown lines become notes, so that nothing is hidden. */
export function readDiff(diff: string): readonly DiffRow[] {
  const lines = diff.replace(/\n$/, '').split('\n');
  const rows: DiffRow[] = [];
  const rest: Rest = { old: 0, new: 0 };
  const next: Rest = { old: 1, new: 1 };
  let hasHunk = false;
  for (const line of lines) {
    const hunk = rest.old + rest.new > 0 ? null : HUNK.exec(line);
    if (hunk !== null) {
      if (hasHunk) rows.push({ kind: 'gap' });
      hasHunk = true;
      next.old = Number(hunk[1]);
      next.new = Number(hunk[3]);
      rest.old = Number(hunk[2] ?? 1);
      rest.new = Number(hunk[4] ?? 1);
    } else if (rest.old + rest.new > 0 || (hasHunk && line.startsWith('\\'))) {
      rows.push(readRow(line, { rest, next }));
    } else if (hasHunk && line !== '') rows.push({ kind: 'note', text: line });
  }
  return hasHunk ? rows : lines.map((text) => ({ kind: 'note', text }));
}

function readRow(line: string, { rest, next }: { readonly rest: Rest; readonly next: Rest }): DiffRow {
  const text = line.slice(1);
  switch (line[0]) {
    case '+':
      rest.new -= 1;
      next.new += 1;
      return { kind: 'added', text, number: next.new - 1 };
    case '-':
      rest.old -= 1;
      next.old += 1;
      return { kind: 'removed', text, number: next.old - 1 };
    case '\\':
      return { kind: 'note', text: text.trim() };
    default:
      rest.old -= 1;
      rest.new -= 1;
      next.old += 1;
      next.new += 1;
      return { kind: 'same', text, number: next.new - 1 };
  }
}
