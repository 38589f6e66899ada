import { stat } from 'node:fs/promises';
import { AgentError } from '@qwen/protocol';

/**
 * What went wrong at spawn, as a typed error. The system reports a missing folder and a missing program with the same
 * code, so the folder is looked at here, where a start has failed already and speed no longer matters (F44).
 */
export async function toSpawnError(
  thrown: unknown,
  attempt: { readonly command: string; readonly cwd?: string | undefined },
): Promise<AgentError> {
  const { command, cwd } = attempt;
  if (cwd !== undefined && !(await isFolder(cwd))) {
    return new AgentError('cwd_missing', `The working directory ${cwd} does not exist or is not a directory.`, {
      cause: thrown,
      data: { cwd },
    });
  }
  const systemCode = systemCodeOf(thrown);
  const data = { command, ...(systemCode !== undefined && { systemCode }) };
  if (systemCode === 'ENOENT') {
    return new AgentError('cli_not_found', `There is no program at ${command}.`, { cause: thrown, data });
  }
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  return new AgentError('spawn_failed', `The program ${command} could not be started: ${why}`, { cause: thrown, data });
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

function systemCodeOf(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}
