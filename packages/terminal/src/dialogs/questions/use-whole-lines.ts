import { useEffect } from 'react';
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
  useEffect(() => {
    if (!isWhole) session.print(lines);
    // Do not print again when the width changes.
  }, [id]);
  if (isWhole) return lines;
  return [...lines.slice(0, room - 1), [{ text: `… all ${lines.length} lines are printed above`, token: 'Gray' }]];
}
