import { readFileSync } from 'node:fs';
import { systemCode } from '../storage-error.js';

/** A process that can be told from a later one with the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks since boot at its start, as Linux counts them; null where the system does not tell. */
  readonly startTime: string | null;
}

/** The identity of this process. */
export function ownIdentity(): ProcessIdentity {
  const { pid } = process;
  return { pid, startTime: readStat(pid)?.startTime ?? null };
}

/** Whether exactly this process still runs. A zombie does not: its files are closed (F91). */
export function isRunning(identity: ProcessIdentity): boolean {
  try {
    process.kill(identity.pid, 0);
  } catch (thrown) {
    // EPERM: it runs and belongs to somebody else.
    if (systemCode(thrown) !== 'EPERM') return false;
  }
  const stat = readStat(identity.pid);
  if (stat === undefined) return true;
  if (stat.state === 'Z' || stat.state === 'X') return false;
  return identity.startTime === null || stat.startTime === identity.startTime;
}

function readStat(ofPid: number): { state: string; startTime: string } | undefined {
  try {
    const text = readFileSync(`/proc/${ofPid}/stat`, 'utf8');
    // The name in parentheses may hold spaces and parentheses; the fields count from behind it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state] = fields;
    const startTime = fields[19];
    return state === undefined || startTime === undefined ? undefined : { state, startTime };
  } catch {
    return undefined;
  }
}
