import { useEffect, useRef } from 'react';
import type { StyledLine } from '../../lines/styled-line.js';
import type { TerminalSession } from '../../session/terminal-session.js';

interface WholeLinesOptions {
  readonly room: number;
  readonly id: string;
  readonly session: Pick<TerminalSession, 'print'>;
}

/**
 * Lines the user must see before answering. If they do not fit, shows their beginning and prints all of them above,
 * once per id.
 */
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
    // A smaller screen may cut what was whole; a later change of the width prints nothing again.
  }, [id, isWhole]);
  if (isWhole) return lines;
  return [...lines.slice(0, room - 1), [{ text: `… all ${lines.length} lines are printed above`, token: 'Gray' }]];
}
