import type { Mount } from './mounts.js';

export interface BwrapOptions {
  readonly mounts: readonly Mount[];
  /** What replaces hidden files and folders: without any permission. */
  readonly blockedFile: string;
  readonly blockedFolder: string;
  readonly temporary: readonly { readonly path: string; readonly source: string }[];
  readonly folder: string;
  /** Whether it starts in the network namespace that it may use. */
  readonly keepsNetwork: boolean;
  readonly info?: number;
  readonly seccomp?: number;
  /** False before version 0.8. */
  readonly disablesNamespaces: boolean;
}

const SHARED_MEMORY_BYTES = 256 * 1024 * 1024;

/** Files below these belong to root, who needs no capability to write them. */
const SYSTEM_FOLDERS = ['acpi', 'asound', 'bus', 'dynamic_debug', 'fs', 'irq', 'scsi', 'sysrq-trigger'];

/** Arguments of bubblewrap, up to the program to run. Pure. */
export function bwrapArgs(options: BwrapOptions): string[] {
  const { mounts, temporary, folder, keepsNetwork, info, seccomp, disablesNamespaces } = options;
  return [
    '--unshare-user',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-cgroup-try',
    ...(keepsNetwork ? [] : ['--unshare-net']),
    ...(disablesNamespaces ? ['--disable-userns'] : []),
    '--cap-drop',
    'ALL',
    '--new-session',
    '--die-with-parent',
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    '--ro-bind',
    '/proc/sys',
    '/proc/sys',
    ...SYSTEM_FOLDERS.flatMap((name) => ['--ro-bind-try', `/proc/${name}`, `/proc/${name}`]),
    '--size',
    String(SHARED_MEMORY_BYTES),
    '--tmpfs',
    '/dev/shm',
    '--remount-ro',
    '/dev',
    ...temporary.flatMap(({ path, source }) => ['--bind', source, path]),
    ...mounts.flatMap((mount) => mountArgs(mount, options)),
    ...mounts.filter(({ kind }) => kind === 'empty').flatMap(({ path }) => ['--remount-ro', path]),
    ...(info === undefined ? [] : ['--info-fd', String(info)]),
    ...(seccomp === undefined ? [] : ['--seccomp', String(seccomp)]),
    '--chdir',
    folder,
    '--',
  ];
}

function mountArgs({ kind, path, isFolder, exposed = [] }: Mount, { blockedFile, blockedFolder }: BwrapOptions) {
  if (kind === 'write') return ['--bind', path, path];
  if (kind === 'read') return ['--ro-bind', path, path];
  if (kind === 'empty') return ['--tmpfs', path];
  if (!isFolder) return ['--ro-bind', blockedFile, path];
  if (exposed.length === 0) return ['--ro-bind', blockedFolder, path];
  return ['--tmpfs', path, ...exposed.flatMap((inside) => ['--ro-bind', inside, inside]), '--remount-ro', path];
}
