import { readFileSync } from 'node:fs';

/** CPU time and peak memory of a child, from /proc. */
export function childFacts(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return {
    // The kernel counts in units of 10 ms.
    childProcessorMs: (Number(fields[11]) + Number(fields[12])) * 10,
    childMemoryBytes: Number(kilobytes) * 1024,
  };
}
