import type { FoundFiles } from '../../ports.js';
import type { ToolContext } from '../../tool.js';
import { PLAIN_PROGRAMS, SELF_CONTAINED } from './programs.js';
import { baseName, type ShellCommand, type ShellReading } from './shell-reading.js';

/**
 * Whether a script runs without programs of the repository: neither git nor anything else in it needs them, so that
 * its environment can exclude them.
 */
export function isGuarded({ commands }: Pick<ShellReading, 'commands'>): boolean {
  return commands.every(isQuiet);
}

function isQuiet({ words: [program], readOnlyFiles, git, wraps }: ShellCommand): boolean {
  if (git !== undefined) return git === 'reading';
  if (readOnlyFiles !== undefined || (wraps !== undefined && isQuiet(wraps))) return true;
  const name = baseName(program?.text ?? '');
  return program?.certainty === 'fixed' && (PLAIN_PROGRAMS.has(name) || SELF_CONTAINED.has(name));
}

/** How a guarded script runs. */
export function guardOf(
  shell: { readonly reading: Pick<ShellReading, 'commands'> } | undefined,
): Pick<ToolContext, 'isReading'> {
  return shell !== undefined && isGuarded(shell.reading) ? { isReading: true } : {};
}

export function gitFoldersOf({ commands }: Pick<ShellReading, 'commands'>): readonly string[] {
  return [...new Set(commands.flatMap((command) => (command.git === undefined ? [] : (gitFolders(command) ?? []))))];
}

export function foundFilesKey(kind: FoundFiles, folder: string): string {
  return `${kind} ${folder}`;
}

/** Where git may start; undefined if unknown. */
export function gitFolders(command: ShellCommand): readonly string[] | undefined {
  return command.gitFolders ?? command.folders;
}
