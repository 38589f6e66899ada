import { existsSync } from 'node:fs';
import { win32 } from 'node:path';
import { AgentError } from '@qwen/protocol';

const POSIX_BASH = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/run/current-system/sw/bin/bash'];
/** Where Windows says that programs are installed, for everybody and for one user. */
const WINDOWS_FOLDERS = [['ProgramFiles'], ['ProgramW6432'], ['ProgramFiles(x86)'], ['LocalAppData', 'Programs']];

/** A system that may have a bash. */
export interface ShellSystem {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Absolute paths where bash may stand, the first one that does counts. On Windows it is that of Git: the `bash.exe` of
 * the system starts another system, in which our paths mean nothing. Pure.
 */
export function bashPaths({ platform, environment }: ShellSystem): readonly string[] {
  if (platform !== 'win32') return POSIX_BASH;
  return WINDOWS_FOLDERS.flatMap(([variable = '', ...inside]) => {
    const folder = environment[variable];
    // A relative one would be looked up in the workspace.
    const isWhole = folder !== undefined && /^[a-z]:[\\/]/i.test(folder);
    return isWhole ? [win32.join(folder, ...inside, 'Git', 'bin', 'bash.exe')] : [];
  });
}

/** Whether what a command writes to its two streams comes as one text, or each as its own. */
export type OutputStreams = 'joined' | 'apart';

/** One pipe for both streams keeps their lines in the order in which they were written. */
const JOIN_STREAMS = 'exec 2>&1; ';
/**
 * Runs before the command, on its line so that line numbers in errors stay right. Descriptors that we ourselves
 * inherited are closed (S83).
 */
const BASH_PREAMBLE = 'for fd in /dev/fd/*; do fd=${fd##*/}; [ "$fd" -gt 2 ] && eval "exec $fd>&-"; done; unset fd; ';
/** The same where a descriptor in a redirection has one digit. */
const SH_PREAMBLE = 'exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; ';

/**
 * The program and the arguments that run a command. Always a shell of the system and never what PATH or SHELL name,
 * and without start-up files: the command means the same everywhere. Throws `tool_failed` where there is none.
 */
export function shellFor(
  command: string,
  streams: OutputStreams,
): { readonly program: string; readonly args: readonly string[] } {
  const join = streams === 'joined' ? JOIN_STREAMS : '';
  const { platform, env: environment } = process;
  const bash = bashPaths({ platform, environment }).find((path) => existsSync(path));
  if (bash !== undefined)
    return { program: bash, args: ['--noprofile', '--norc', '-c', join + BASH_PREAMBLE + command] };
  if (existsSync('/bin/sh')) return { program: '/bin/sh', args: ['-c', join + SH_PREAMBLE + command] };
  throw new AgentError('tool_failed', 'This system has no POSIX shell to run a command with.');
}
