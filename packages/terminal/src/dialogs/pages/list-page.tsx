import type { ReactNode } from 'react';
import { Lines } from '../../lines/lines-view.js';
import type { StyledLine } from '../../lines/styled-line.js';
import { wrapLine } from '../../lines/wrap-line.js';
import type { AnswerGuard } from '../choice/answer-guard.js';
import type { Choice } from '../choice/choice-list.js';
import { ChoiceMenu } from '../choice/choice-menu.js';
import { DialogFrame, FRAME_COLUMNS, FRAME_ROWS } from '../dialog-frame.js';

interface ListPageProps<Value> {
  readonly title: string;
  readonly notes?: readonly StyledLine[];
  readonly choices: readonly Choice<Value>[];
  readonly columns: number;
  readonly rows: number;
  readonly isFiltered?: boolean;
  readonly guard?: AnswerGuard;
  readonly isChosen?: (value: Value) => boolean;
  readonly onMove?: (value: Value) => void;
  readonly onChoose: (value: Value) => void;
  readonly onCancel: () => void;
  /** What Esc does. Default `close`. */
  readonly escape?: string;
}

const STOP_TYPING = 'Stop typing to answer';

export function ListPage<Value>({
  title,
  notes = [],
  columns,
  rows,
  escape = 'close',
  ...list
}: ListPageProps<Value>): ReactNode {
  const inner = columns - FRAME_COLUMNS;
  const above = notes.flatMap((note) => wrapLine(note, inner)).slice(0, Math.max(0, rows - FRAME_ROWS - 3));
  const ways = list.isFiltered === true ? 'Type to search · ↑↓ choose · Enter' : '↑↓ choose · Enter or number';
  const keys = `${ways} · Esc: ${escape}`;
  return (
    <DialogFrame title={title} keys={list.guard?.isArmed === false ? STOP_TYPING : keys} columns={columns}>
      <Lines lines={above} />
      <ChoiceMenu {...list} rows={Math.max(2, rows - FRAME_ROWS - above.length)} columns={inner} />
    </DialogFrame>
  );
}
