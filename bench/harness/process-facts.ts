import { readdir, readFile } from 'node:fs/promises';

// Reads /proc, so these figures need Linux.

/** Peak resident memory in bytes (VmHWM). */
export function peakMemoryBytes(pid: number): Promise<number> {
  return statusBytes(pid, 'VmHWM');
}

/** Current resident memory in bytes (VmRSS). */
export function residentMemoryBytes(pid: number): Promise<number> {
  return statusBytes(pid, 'VmRSS');
}

/** The process and its descendants. */
export async function processTree(pid: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = new Map<number, number>();
  for (const each of pids) {
    const fields = await statFields(each).catch(() => undefined);
    if (fields !== undefined) parents.set(each, Number(fields[1]));
  }
  const tree = [pid];
  for (const parent of tree) tree.push(...pids.filter((each) => parents.get(each) === parent));
  return tree;
}

async function statusBytes(pid: number, field: 'VmHWM' | 'VmRSS'): Promise<number> {
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(
    await readFile(`/proc/${pid}/status`, 'utf8'),
  )?.[1];
  if (kilobytes === undefined) throw new Error(`/proc/${pid}/status has no ${field}`);
  return Number(kilobytes) * 1024;
}

/** The fields after the program name, which may contain spaces and parentheses; the first is the state. */
async function statFields(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}
