import { useEffect, useRef } from 'react';
import type { StyledLine } from '../../lines/styled-line.js';
import type { TerminalSession } from '../../session/terminal-session.js';

interface WholeLinesOptions {
  readonly room: number;
  readonly id: string;
  readonly session: Pick<TerminalSession, 'print'>;
}

/** Lines the user must see before answering. Those that do not fit, now or after a resize, are printed above once. */
export function useWholeLines(
  lines: readonly StyledLine[],
  { room, id, session }: WholeLinesOptions,
): readonly StyledLine[] {
  const isWhole = lines.length <= room;
  const printed = useRef<string>(undefined);
  useEffect(() => {
    if (isWhole || printed.current === id) return;
    printed.current = id;
    session.print(lines);
  }, [id, isWhole]);
  if (isWhole) return lines;
  return [...lines.slice(0, room - 1), [{ text: `… all ${lines.length} lines are printed above`, token: 'Gray' }]];
}
