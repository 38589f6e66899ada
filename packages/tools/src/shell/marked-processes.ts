import { readdirSync, readFileSync } from 'node:fs';

export interface MarkedProcess {
  readonly pid: number;
  readonly group: number;
}

/**
 * Finds processes with this text in their environment, including those that left their group. Empty on systems that
 * do not expose environments.
 */
export function markedProcesses(marker: string): MarkedProcess[] {
  return processIds().flatMap((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/environ`).includes(marker)) return [];
      return [{ pid, group: groupIn(readFileSync(`/proc/${pid}/stat`, 'latin1')) }];
    } catch {
      // It ended, or belongs to another user.
      return [];
    }
  });
}

/** `pid (name) state parent group …`; the name may contain spaces and parentheses. */
function groupIn(stat: string): number {
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
}

function processIds(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}
