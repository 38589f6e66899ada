import type { ExecaMethod } from 'execa';

/** Environment variable by which a process of ours is known even after it left its group (F41). */
export const MARKER_VARIABLE = 'QWEN_TOOL_PROCESS';

/**
 * The guard's program; its first argument is the marker. It reads the group, then waits for one more line. When stdin
 * ends without that, we died without cleaning up: then it kills the group and, where the system shows environments,
 * everything that carries the marker.
 */
const GUARD_PROGRAM = `
read -r group
read -r _ && exit 0
[ -n "$group" ] && kill -s KILL -- "-$group"
for file in $(grep -las -e "$1" /proc/[0-9]*/environ); do
  process=\${file#/proc/}
  kill -s KILL "\${process%/environ}"
done
`;

/** The watch over one command. */
export interface ProcessGuard {
  /** Names the process group of the command, once it has started. */
  watch(group: number): void;
  /** All is well: the guard leaves without killing anything. Resolves once it is gone. */
  dismiss(): Promise<void>;
}

/**
 * Sees to it that a command does not outlive us even when we are killed without a chance to act (F36, F38): a small
 * process beside us reads from a pipe that only we hold open. It is our child, so it leaves no zombie (F43), and in a
 * session of its own, so that neither the command nor a terminal takes it along. Start it before the command.
 */
export function startGuard(execa: ExecaMethod, marker: string): ProcessGuard {
  const guard = execa('/bin/sh', ['-c', GUARD_PROGRAM, 'qwen-guard', marker], {
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
    env: { PATH: '/usr/bin:/bin' },
    extendEnv: false,
    detached: true,
    cleanup: false,
    reject: false,
  });
  // A guard that was killed meanwhile cannot be told anything more; that is no reason for the command to fail.
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
