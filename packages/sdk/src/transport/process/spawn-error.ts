import { AgentError, messageOf, systemCodeOf } from '@qwen/protocol';

/** The system reports a missing directory and a missing program alike. */
export async function toSpawnError(
  thrown: unknown,
  request: { readonly command: string; readonly cwd?: string | undefined },
): Promise<AgentError> {
  const { command, cwd } = request;
  if (cwd !== undefined && !(await isExistingDirectory(cwd))) {
    return new AgentError(
      'cwd_missing',
      `The working directory ${cwd} (option cwd) does not exist or is not a directory.`,
      {
        cause: thrown,
        data: { cwd },
      },
    );
  }
  const systemCode = systemCodeOf(thrown);
  const data = { command, ...(systemCode !== undefined && { systemCode }) };
  if (systemCode === 'ENOENT') {
    return new AgentError(
      'cli_not_found',
      `The program ${command} does not exist. Check the options executable and pathToQwenExecutable.`,
      { cause: thrown, data },
    );
  }
  const why = messageOf(thrown);
  return new AgentError('spawn_failed', `Could not start ${command}: ${why}`, { cause: thrown, data });
}

async function isExistingDirectory(path: string): Promise<boolean> {
  const { stat } = await import('node:fs/promises');
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
