import { AgentError, escapeHidden, systemCodeOf } from '@qwen/protocol';

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'it does not exist'],
  ['EACCES', 'access is denied'],
  ['EPERM', 'the operation is not permitted'],
  ['EISDIR', 'it is a directory'],
  ['ENOTDIR', 'a part of the path is not a directory'],
  ['ENAMETOOLONG', 'the name is too long'],
  ['ENOSPC', 'no space is left on the device'],
  ['EDQUOT', 'the disk quota is exceeded'],
  ['EROFS', 'the file system is read-only'],
  // Paths are resolved before they are opened, so the link is new.
  ['ELOOP', 'it was replaced by a link'],
  ['ENXIO', 'it is not a regular file'],
]);

/** Returns an AgentError unchanged. */
export function toFileError(error: unknown, verb: string, path: string): AgentError {
  if (AgentError.is(error)) return error;
  const code = systemCodeOf(error) ?? '';
  const reason = REASONS.get(code) ?? AgentError.from(error).message;
  return new AgentError('tool_failed', `Cannot ${verb} ${escapeHidden(path)}: ${reason}.`, {
    cause: error,
    data: { path, ...(code !== '' && { systemCode: code }) },
  });
}
