import type { ReactNode } from 'react';
import { Lines } from '../../lines/lines-view.js';
import type { StyledLine } from '../../lines/styled-line.js';
import { wrapLine } from '../../lines/wrap-line.js';
import { DialogFrame, FRAME_COLUMNS } from '../dialog-frame.js';
import { TextEntry } from '../questions/text-entry.js';

interface EntryPageProps {
  readonly title: string;
  readonly notes: readonly StyledLine[];
  readonly keys: string;
  readonly prompt: string;
  readonly columns: number;
  readonly isSecret?: boolean;
  readonly onSubmit: (text: string) => void;
  readonly onCancel: () => void;
}

export function EntryPage({ title, notes, keys, columns, ...field }: EntryPageProps): ReactNode {
  const inner = columns - FRAME_COLUMNS;
  return (
    <DialogFrame title={title} keys={keys} columns={columns}>
      <Lines lines={notes.flatMap((line) => wrapLine(line, inner))} />
      <TextEntry {...field} columns={inner} />
    </DialogFrame>
  );
}
