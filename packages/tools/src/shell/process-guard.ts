import type { ExecaMethod } from 'execa';
import type { Watched } from '../sandbox/mounts.js';

/** Marks child processes, even those that leave their group. */
export const MARKER_VARIABLE = 'QWEN_TOOL_PROCESS';

/**
 * Reads the group, then waits for another line. If stdin ends first, our process died: kill the group and all
 * processes with the marker ($1), and rename the other arguments, which a sandboxed command must not have created,
 * or the link that replaces a folder of theirs.
 */
const GUARD_PROGRAM = `
read -r group
read -r _ && exit 0
[ -n "$group" ] && kill -s KILL -- "-$group"
for file in $(grep -las -e "$1" /proc/[0-9]*/environ); do
  process=\${file#/proc/}
  kill -s KILL "\${process%/environ}"
done
[ $# -gt 1 ] && sleep 0.2
shift
for file; do
  found=$file part= rest=\${file#/}
  while [ "$rest" != "\${rest#*/}" ]; do
    part=$part/\${rest%%/*} rest=\${rest#*/}
    if [ -L "$part" ]; then found=$part; break; fi
    [ -x "$part" ] || chmod u+rwx "$part"
  done
  [ -e "$file" ] || [ -L "$file" ] || continue
  file=$found
  name=$file.removed-by-sandbox
  while [ -e "$name" ] || [ -L "$name" ]; do name=$name-2; done
  [ -w "\${file%/*}" ] || chmod u+rwx "\${file%/*}"
  mv -f -T -- "$file" "$name"
done
`;

export interface ProcessGuard {
  /** Sets the process group of the command. */
  watch(group: number): void;
  /** Ends the guard without killing. Resolves when it has exited. */
  dismiss(): Promise<void>;
}

/**
 * Kills a command if our process dies, even by SIGKILL: a child process reads a pipe that only we hold open. Start
 * it before the command.
 */
export function startGuard(execa: ExecaMethod, marker: string, protectedFiles: readonly string[] = []): ProcessGuard {
  const guard = execa('/bin/sh', ['-c', GUARD_PROGRAM, 'qwen-guard', marker, ...protectedFiles], {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
    env: { PATH: '/usr/bin:/bin' },
    extendEnv: false,
    detached: true,
    cleanup: false,
    reject: false,
  });
  // It may have been killed already.
  guard.stdin.on('error', () => {});
  let isWatching = false;
  return {
    watch: (group) => {
      isWatching = true;
      guard.stdin.write(`${group}\n`);
    },
    dismiss: async () => {
      guard.stdin.end(isWatching ? 'done\n' : '\ndone\n');
      await guard;
    },
  };
}

/** The guard renames them if our process dies. */
export function missingIn(watched: readonly Watched[] = []): string[] {
  return watched.filter(({ target }) => target === undefined).map(({ path }) => path);
}
