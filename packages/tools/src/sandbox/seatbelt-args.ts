import { basename, dirname } from 'node:path';
import type { Mount, SandboxView, Watched } from './mounts.js';

export interface SeatbeltOptions {
  readonly view: SandboxView;
  /** The private folder for temporary files. */
  readonly temporary: string;
  /** Folders and sockets whose Unix sockets may be used. */
  readonly sockets: readonly string[];
  /** The port of the proxy on 127.0.0.1. Undefined: no network. */
  readonly proxyPort?: number | undefined;
}

/** Everything is denied that no rule allows; of several rules that match, the last one applies. */
const BASE = `(version 1)
(deny default)
(allow process-exec)
(allow process-fork)
(allow process-info* (target same-sandbox))
(allow signal (target same-sandbox))
(allow mach-priv-task-port (target same-sandbox))
(allow mach-lookup
  (global-name "com.apple.bsd.dirhelper")
  (global-name "com.apple.logd")
  (global-name "com.apple.system.logger")
  (global-name "com.apple.system.notification_center")
  (global-name "com.apple.system.opendirectoryd.libinfo")
  (global-name "com.apple.system.opendirectoryd.membership")
  (global-name "com.apple.trustd.agent"))
(allow ipc-posix-sem)
(allow ipc-posix-shm)
; Not kern.procargs2, which contains the variables of other processes.
(allow sysctl-read
  (sysctl-name-prefix "hw.")
  (sysctl-name-prefix "kern.proc.pgrp.")
  (sysctl-name-prefix "kern.proc.pid.")
  (sysctl-name-prefix "machdep.")
  (sysctl-name "kern.argmax")
  (sysctl-name "kern.hostname")
  (sysctl-name "kern.maxfiles")
  (sysctl-name "kern.maxfilesperproc")
  (sysctl-name "kern.maxproc")
  (sysctl-name "kern.ngroups")
  (sysctl-name "kern.osproductversion")
  (sysctl-name "kern.osrelease")
  (sysctl-name "kern.ostype")
  (sysctl-name "kern.osvariant_status")
  (sysctl-name "kern.osversion")
  (sysctl-name "kern.secure_kernel")
  (sysctl-name "kern.usrstack64")
  (sysctl-name "kern.version")
  (sysctl-name "sysctl.proc_cputype")
  (sysctl-name "vm.loadavg"))
(allow pseudo-tty)
(allow file-read*)
(allow file-write*
  (literal "/dev/dtracehelper")
  (literal "/dev/null")
  (literal "/dev/ptmx")
  (literal "/dev/tty")
  (literal "/dev/zero")
  (regex #"^/dev/fd/[0-9]+$")
  (require-all (regex #"^/dev/ttys[0-9]+$") (extension "com.apple.sandbox.pty")))
(allow file-ioctl
  (literal "/dev/dtracehelper")
  (literal "/dev/null")
  (literal "/dev/ptmx")
  (literal "/dev/tty")
  (require-all (regex #"^/dev/ttys[0-9]+$") (extension "com.apple.sandbox.pty")))`;

/** Arguments of `sandbox-exec` on macOS, up to the program to run. Pure. */
export function seatbeltArgs({ view, temporary, sockets, proxyPort }: SeatbeltOptions): string[] {
  const parameters = new Map<string, string>();
  // Parameters need no quoting.
  const parameter = (path: string): string => {
    const name = parameters.get(path) ?? `PATH_${parameters.size}`;
    parameters.set(path, name);
    return `(param "${name}")`;
  };
  const below = (path: string) => `(subpath ${parameter(path)})`;
  const rules = [
    BASE,
    `(allow file-write* ${below(temporary)})`,
    ...view.mounts.flatMap((mount) => mountRules(mount, below, parameter)),
    ...view.watched.map((watched) => `(deny file-write* ${watchedFilter(watched, below)})`),
    ...(sockets.length === 0 ? [] : ['(allow system-socket (socket-domain AF_UNIX))']),
    ...sockets.flatMap((path) => [
      `(allow network-bind (local unix-socket ${below(path)}))`,
      `(allow network-outbound (remote unix-socket ${below(path)}))`,
    ]),
    ...(proxyPort === undefined ? [] : [`(allow network-outbound (remote ip "localhost:${proxyPort}"))`]),
  ];
  const definitions = [...parameters].flatMap(([path, name]) => ['-D', `${name}=${path}`]);
  return ['-p', `${rules.join('\n')}\n`, ...definitions, '--'];
}

type ToFilter = (path: string) => string;

function mountRules({ kind, path, exposed = [] }: Mount, below: ToFilter, parameter: ToFilter): string[] {
  switch (kind) {
    case 'write':
      // Renaming the folder would move what it protects.
      return [`(allow file-write* ${below(path)})`, `(deny file-write-unlink (literal ${parameter(path)}))`];
    case 'read':
      return [`(deny file-write* ${below(path)})`];
    case 'hide':
      return [
        `(deny file-read* file-write* ${below(path)})`,
        ...exposed.map((inside) => `(allow file-read* ${below(inside)})`),
      ];
    case 'empty':
      // Only sockets are below, which no rule allows.
      return [];
  }
}

/** Also matches other spellings: most volumes ignore the case of names. */
function watchedFilter({ path }: Watched, below: ToFilter): string {
  // They would end or change the pattern.
  if (/["\p{Cc}]/u.test(path)) return below(path);
  const folder = dirname(path).replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  const name = [...basename(path)].map((letter) => {
    const spellings = new Set(
      [letter.toLowerCase(), letter.toUpperCase()].filter((one) => one.length === letter.length),
    );
    if (spellings.size > 1) return `[${[...spellings].join('')}]`;
    return letter.replace(/[\\^$.*+?()[\]{}|]/, String.raw`\$&`);
  });
  return `(regex #"^${folder}/${name.join('')}(/|$)")`;
}
