import { readdirSync, readFileSync } from 'node:fs';

/** A running process with the marker that was looked for. */
export interface MarkedProcess {
  readonly pid: number;
  readonly group: number;
}

/**
 * The running processes whose environment holds this text; also those that left their group or were adopted. Empty
 * where the system does not show environments. Zombies have none and are left out.
 */
export function markedProcesses(marker: string): MarkedProcess[] {
  return processIds().flatMap((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/environ`).includes(marker)) return [];
      return [{ pid, group: groupIn(readFileSync(`/proc/${pid}/stat`, 'latin1')) }];
    } catch {
      // It is gone by now, or somebody else's.
      return [];
    }
  });
}

/** `pid (name) state parent group …`; the name may hold blanks and brackets. */
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
