import { type ReactNode, useState } from 'react';
import { Lines } from '../../lines/lines-view.js';
import { toShownLines } from '../../lines/shown-text.js';
import type { StyledLine } from '../../lines/styled-line.js';
import { wrapLine } from '../../lines/wrap-line.js';
import { useKeys } from '../../use-keys.js';
import { DialogFrame, FRAME_COLUMNS, FRAME_ROWS } from '../dialog-frame.js';
import type { PageProps } from './page.js';

const DEEPER = 2;

export function TextPage({
  title,
  text,
  columns,
  rows,
  onClose,
}: Omit<PageProps, 'session'> & { readonly title: string; readonly text: string }): ReactNode {
  const [top, setTop] = useState(0);
  const lines = toShownLines(text).flatMap((line) => indented(line, columns - FRAME_COLUMNS));
  const room = Math.max(1, rows - FRAME_ROWS);
  const last = Math.max(0, lines.length - room);
  const start = Math.min(top, last);
  const isLong = last > 0;
  useKeys({
    onKey: (input, key) => {
      if (key.escape || key.return || input === 'q') return onClose();
      if (key.upArrow) return setTop(Math.max(0, start - 1));
      if (key.downArrow) return setTop(Math.min(last, start + 1));
      if (key.pageUp) return setTop(Math.max(0, start - room));
      if (key.pageDown || input === ' ') setTop(Math.min(last, start + room));
    },
  });
  const place = isLong ? ` · ↑↓ scroll (${start + 1}–${start + room} of ${lines.length})` : '';
  return (
    <DialogFrame title={title} keys={`Esc: close${place}`} columns={columns}>
      <Lines lines={lines.slice(start, start + room)} />
    </DialogFrame>
  );
}

function indented(line: string, columns: number): readonly StyledLine[] {
  const words = line.trimStart();
  const indent = Math.min(line.length - words.length, Math.floor(columns / 2));
  return wrapLine([{ text: words }], columns - indent - DEEPER).map((part, place) => [
    { text: ' '.repeat(indent + (place === 0 ? 0 : DEEPER)) },
    ...part,
  ]);
}
