import { AgentError } from '@qwen/protocol';
import { toVisibleName } from '../visible-text.js';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'access is denied',
  EPERM: 'the system does not permit it',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of the path is not a directory',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  // Every path is opened by its real name, so a link in it can only be a new one.
  ELOOP: 'it was replaced by a link meanwhile',
  ENXIO: 'it is not a regular file',
};

/** A failed file operation in words that a model can act on; an AgentError passes unchanged. */
export function toFileError(error: unknown, verb: string, path: string): AgentError {
  if (AgentError.is(error)) return error;
  const code = errorCode(error) ?? '';
  const reason = REASONS[code] ?? AgentError.from(error).message;
  return new AgentError('tool_failed', `Cannot ${verb} ${toVisibleName(path)}: ${reason}.`, {
    cause: error,
    data: { path, ...(code !== '' && { systemCode: code }) },
  });
}

/** The system's code of an error, such as `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
