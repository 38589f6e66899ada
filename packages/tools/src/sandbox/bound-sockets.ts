import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Absolute paths of sockets bound to a relative path, by inode number. Undefined: not found. */
const relative = new Map<string, string | undefined>();

/**
 * Where programs of this machine may listen, under the names that the sockets were bound to and those beside them.
 * Other folders, which may be large, are not searched.
 */
export function boundSockets(isSearched: (folder: string) => boolean): string[] {
  const bound = table().flatMap(({ inode, name }) =>
    name.startsWith('/') ? [name] : (absolutePath(inode, name) ?? []),
  );
  // A socket that was renamed, or has another link, is usually in the same folder.
  const folders = new Set(bound.map((path) => dirname(path)).filter(isSearched));
  return [...new Set([...bound, ...[...folders].flatMap(socketsIn)])];
}

function table(): { inode: string; name: string }[] {
  return read('/proc/net/unix')
    .split('\n')
    .flatMap((line) => {
      const [, inode, name] = /^[\da-f]+: \S+ \S+ \S+ \S+ \S+ +(\d+) ([^@].*)$/.exec(line) ?? [];
      return inode === undefined || name === undefined ? [] : [{ inode, name }];
    });
}

function socketsIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isSocket()).map((entry) => resolve(folder, entry.name));
  } catch {
    return [];
  }
}

/** Relative to the working folder of its process. Looked up once. */
function absolutePath(inode: string, name: string): string | undefined {
  if (!relative.has(inode)) {
    const owner = processes().find((pid) => holds(pid, `socket:[${inode}]`));
    const folder = owner === undefined ? undefined : target(`/proc/${owner}/cwd`);
    relative.set(inode, folder === undefined ? undefined : resolve(folder, name));
  }
  return relative.get(inode);
}

function processes(): string[] {
  return list('/proc').filter((name) => /^\d+$/.test(name));
}

function holds(pid: string, socket: string): boolean {
  return list(`/proc/${pid}/fd`).some((fd) => target(`/proc/${pid}/fd/${fd}`) === socket);
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function target(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
