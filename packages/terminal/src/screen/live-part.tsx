import { useAnimation, useIsScreenReaderEnabled } from 'ink';
import type { ReactElement } from 'react';
import { Lines } from '../lines/lines-view.js';
import { toShownInOne } from '../lines/shown-text.js';
import type { StyledLine } from '../lines/styled-line.js';
import { cutLine } from '../lines/wrap-line.js';
import { draftLines } from '../markdown/markdown-stream.js';
import type { TerminalState } from '../state/terminal-state.js';
import { callRows } from './call-rows.js';
import type { RowShares } from './row-shares.js';
import { todoRows } from './todo-rows.js';

interface LivePartProps {
  readonly state: TerminalState;
  readonly shares: RowShares;
  readonly columns: number;
  readonly folder: string;
}

const SECOND_MS = 1_000;

export function LivePart({ state, shares, columns, folder }: LivePartProps): ReactElement {
  const isScreenReader = useIsScreenReaderEnabled();
  const { draft, calls, todos, queued } = state;
  // Update durations also while no event arrives.
  useAnimation({ interval: SECOND_MS, isActive: !isScreenReader && calls.some(({ phase }) => phase === 'running') });
  const hasDraft = draft !== '' && shares.draft > 0 && !isScreenReader;
  const lines: readonly StyledLine[] = [
    ...(hasDraft ? draftLines(draft, { columns, maxLines: shares.draft, isScreenReader }) : []),
    ...(shares.calls > 0 ? callRows(calls, { columns, rows: shares.calls, nowMs: Date.now(), folder }) : []),
    ...(shares.todos > 0 ? todoRows(todos, { columns, rows: shares.todos }) : []),
    ...queued
      .slice(0, shares.queued)
      .map(({ text, isSteering }) =>
        cutLine(
          [{ text: `${isSteering ? 'Queued' : 'Queued for after this turn'}: ${toShownInOne(text)}`, token: 'Gray' }],
          columns,
        ),
      ),
  ];
  return <Lines lines={lines} />;
}
