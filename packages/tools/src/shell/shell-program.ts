import { existsSync } from 'node:fs';
import { win32 } from 'node:path';
import { AgentError } from '@qwen/protocol';

const POSIX_BASH = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/run/current-system/sw/bin/bash'];
const WINDOWS_FOLDERS = [['ProgramFiles'], ['ProgramW6432'], ['ProgramFiles(x86)'], ['LocalAppData', 'Programs']];

export interface ShellSystem {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** In order. On Windows only that of Git, because `System32\bash.exe` starts WSL. */
export function bashPaths({ platform, environment }: ShellSystem): readonly string[] {
  if (platform !== 'win32') return POSIX_BASH;
  return WINDOWS_FOLDERS.flatMap(([variable = '', ...inside]) => {
    const folder = environment[variable];
    // It would be relative to the workspace.
    const isWhole = folder !== undefined && /^[a-z]:[\\/]/i.test(folder);
    return isWhole ? [win32.join(folder, ...inside, 'Git', 'bin', 'bash.exe')] : [];
  });
}

export type OutputStreams = 'joined' | 'apart';

/** One pipe keeps the lines in order. */
const JOIN_STREAMS = 'exec 2>&1; ';
/** Closes inherited descriptors, on the line of the command to keep line numbers. */
const BASH_PREAMBLE = 'for fd in /dev/fd/*; do fd=${fd##*/}; [ "$fd" -gt 2 ] && eval "exec $fd>&-"; done; unset fd; ';
/** For shells with one-digit descriptors. */
const SH_PREAMBLE = 'exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; ';

/** Regardless of PATH and SHELL, and without start-up files. Throws `tool_failed` if there is none. */
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
  throw new AgentError('tool_failed', 'No shell was found to run commands: neither bash nor /bin/sh.');
}
