import { useEffect } from 'react';
import type { StyledLine } from '../../lines/styled-line.js';
import type { TerminalSession } from '../../session/terminal-session.js';

interface WholeLinesOptions {
  /** Rows that there are for them. */
  readonly room: number;
  /** Of what is asked. */
  readonly id: string;
  readonly session: Pick<TerminalSession, 'print'>;
}

/**
 * What a person must have seen before an answer: the lines where they fit, else their beginning. All of them then stand
 * above, printed once for each id: nobody says yes to something that was shown in part (S98).
 */
export function useWholeLines(
  lines: readonly StyledLine[],
  { room, id, session }: WholeLinesOptions,
): readonly StyledLine[] {
  const isWhole = lines.length <= room;
  useEffect(() => {
    if (!isWhole) session.print(lines);
    // Printing again for another width would repeat it.
  }, [id]);
  if (isWhole) return lines;
  return [...lines.slice(0, room - 1), [{ text: `… all ${lines.length} lines stand above`, token: 'Gray' }]];
}
