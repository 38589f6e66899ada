import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SandboxLimits } from './policy.js';

export interface CommandGroup extends Disposable {
  /** Write the ID of a process to each, to move it there. */
  readonly members: readonly string[];
}

const ROOT = '/sys/fs/cgroup';

/** One group of version 2, or one per controller of version 1. Without the right to create them: none. */
export function createGroup(name: string, { processes, memoryMiB }: SandboxLimits): CommandGroup {
  const memory = String(memoryMiB * 1024 * 1024);
  const folders: string[] = [];
  removeLeft();
  for (const [controller, path] of ownGroups()) {
    if (controller === '') {
      // A group with processes cannot have limited children, so it becomes a sibling.
      const folder = join(ROOT, dirname(path), name);
      addGroup(folders, folder, { 'pids.max': String(processes), 'memory.max': memory, 'memory.swap.max': '0' });
    } else if (controller === 'pids') {
      addGroup(folders, join(ROOT, 'pids', path, name), { 'pids.max': String(processes) });
    } else if (controller === 'memory') {
      addGroup(folders, join(ROOT, 'memory', path, name), { 'memory.limit_in_bytes': memory });
    }
  }
  return {
    members: folders.map((folder) => join(folder, 'cgroup.procs')),
    [Symbol.dispose]: () => {
      for (const folder of folders) removeGroup(folder);
    },
  };
}

/** Controllers, empty for version 2, and our group in each. */
function ownGroups(): (readonly [string, string])[] {
  try {
    return readFileSync('/proc/self/cgroup', 'utf8')
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [, controllers = '', path = '/'] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
        return controllers.split(',').map((controller) => [controller, path] as const);
      });
  } catch {
    return [];
  }
}

function addGroup(folders: string[], folder: string, values: Readonly<Record<string, string>>): void {
  try {
    mkdirSync(folder);
  } catch {
    return;
  }
  let isLimited = false;
  for (const [name, value] of Object.entries(values)) {
    const file = join(folder, name);
    if (!existsSync(file)) continue;
    try {
      writeFileSync(file, value);
      isLimited = true;
    } catch {
      // The controller is not for us; the limits of each process remain.
    }
  }
  if (isLimited) folders.push(folder);
  else removeGroup(folder);
}

/** Groups whose processes were still ending; later commands and the exit remove them. */
const left = new Set<string>();
let removesAtExit = false;

function removeGroup(folder: string): void {
  try {
    rmdirSync(folder);
    left.delete(folder);
  } catch {
    if (existsSync(folder)) left.add(folder);
    else left.delete(folder);
    if (!removesAtExit) process.once('exit', removeLeft);
    removesAtExit = true;
  }
}

function removeLeft(): void {
  for (const folder of left) removeGroup(folder);
}
