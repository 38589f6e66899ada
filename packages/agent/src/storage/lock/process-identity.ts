import { readFileSync } from 'node:fs';
import { systemCodeOf } from '@qwen/protocol';

/** Differs from a later process with the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks since boot; null if unknown. */
  readonly startTime: string | null;
}

export function ownIdentity(): ProcessIdentity {
  const { pid } = process;
  return { pid, startTime: readStat(pid)?.startTime ?? null };
}

/** A zombie does not run: its files are closed. */
export function isRunning(identity: ProcessIdentity): boolean {
  try {
    process.kill(identity.pid, 0);
  } catch (thrown) {
    if (systemCodeOf(thrown) !== 'EPERM') return false;
  }
  const stat = readStat(identity.pid);
  if (stat === undefined) return true;
  if (stat.state === 'Z' || stat.state === 'X') return false;
  return identity.startTime === null || stat.startTime === identity.startTime;
}

function readStat(ofPid: number): { state: string; startTime: string } | undefined {
  try {
    const text = readFileSync(`/proc/${ofPid}/stat`, 'utf8');
    // The name in parentheses may contain spaces and parentheses.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state] = fields;
    const startTime = fields[19];
    return state === undefined || startTime === undefined ? undefined : { state, startTime };
  } catch {
    return undefined;
  }
}
