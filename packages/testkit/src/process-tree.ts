import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

interface ProcessRow {
  readonly pid: number;
  readonly parentPid: number;
  /** First letter of the state in `ps`; `Z` is a zombie. */
  readonly state: string;
}

/** Reads the process table, because signal 0 reports a zombie as alive. A zombie counts as gone. */
export function processGone(pid: number): boolean {
  const row = readRow(pid);
  return row === undefined || row.state === 'Z';
}

/**
 * Rejects if the process still runs after `deadlineMs` (default 10 s). Polls, because only a parent is notified of
 * an exit.
 */
export async function waitUntilGone(pid: number, options: { readonly deadlineMs?: number } = {}): Promise<void> {
  const { deadlineMs = 10_000 } = options;
  const giveUpAt = performance.now() + deadlineMs;
  while (!processGone(pid)) {
    if (performance.now() > giveUpAt) throw new Error(`process ${pid} still runs after ${deadlineMs} ms`);
    await delay(10);
  }
}

export function childrenOf(pid: number): number[] {
  const rows = allRows().filter((row) => row.state !== 'Z');
  const found: number[] = [];
  for (let parents = [pid]; parents.length > 0; ) {
    parents = rows.filter((row) => parents.includes(row.parentPid)).map((row) => row.pid);
    found.push(...parents);
  }
  return found;
}

/** Finds the children that this process starts from now on. A test shares its process with others, which may have some. */
export function trackChildren(): () => number[] {
  const before = new Set(childrenOf(process.pid));
  return () => childrenOf(process.pid).filter((pid) => !before.has(pid));
}

const hasProcFolder = existsSync('/proc/self/stat');

function readRow(pid: number): ProcessRow | undefined {
  if (!hasProcFolder) return rowsFromPs().find((row) => row.pid === pid);
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}

function allRows(): ProcessRow[] {
  if (!hasProcFolder) return rowsFromPs();
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readRow(Number(name)))
    .filter((row) => row !== undefined);
}

/** `pid (name) state ppid …`; the name may contain blanks and brackets, so parsing starts at the last bracket. */
function parseStat(text: string): ProcessRow {
  const [state = '', parentPid = ''] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { pid: Number.parseInt(text, 10), parentPid: Number(parentPid), state };
}

function rowsFromPs(): ProcessRow[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' });
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [pid = '', parentPid = '', state = ''] = line.trim().split(/\s+/);
      return { pid: Number(pid), parentPid: Number(parentPid), state: state.slice(0, 1) };
    });
}
