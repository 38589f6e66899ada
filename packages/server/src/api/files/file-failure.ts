import { AgentError, type ErrorCode } from '@qwen/protocol';
import { errorCode, toVisibleName } from '@qwen/tools';

interface Failure {
  readonly code: ErrorCode;
  readonly reason: string;
}

const FAILURES: Readonly<Record<string, Failure>> = {
  ENOENT: { code: 'file_not_found', reason: 'it does not exist' },
  ENOTDIR: { code: 'file_not_found', reason: 'a part of the path is no folder' },
  EISDIR: { code: 'invalid_payload', reason: 'it is a folder' },
  ENAMETOOLONG: { code: 'invalid_payload', reason: 'the name is too long' },
  EACCES: { code: 'permission_denied', reason: 'the system denies access' },
  EPERM: { code: 'permission_denied', reason: 'the system does not permit it' },
  EROFS: { code: 'permission_denied', reason: 'the file system is read-only' },
  ENOSPC: { code: 'storage_full', reason: 'no space is left' },
  EDQUOT: { code: 'storage_full', reason: 'the disk quota is used up' },
};

/**
 * What went wrong with a file, for the client: its path as it was asked for, and nothing of where the server keeps it
 * (S78). Errors of other kinds pass unchanged.
 */
export function toFileFailure(thrown: unknown, verb: string, path: string): AgentError {
  const cause = AgentError.is(thrown) ? systemCodeOf(thrown) : errorCode(thrown);
  const known = FAILURES[cause ?? ''];
  if (known !== undefined)
    return fileFailure(known.code, `Cannot ${verb} ${toVisibleName(path)}: ${known.reason}.`, thrown);
  if (!AgentError.is(thrown)) return AgentError.from(thrown);
  // Whatever else the tools refuse to open is no regular file, or became something else meanwhile.
  if (thrown.code !== 'tool_failed') return thrown;
  return fileFailure('invalid_payload', `Cannot ${verb} ${toVisibleName(path)}: it is no regular file.`, thrown);
}

function fileFailure(code: ErrorCode, message: string, cause: unknown): AgentError {
  return new AgentError(code, message, { cause });
}

function systemCodeOf({ data, cause }: AgentError): string | undefined {
  return typeof data['systemCode'] === 'string' ? data['systemCode'] : errorCode(cause);
}
