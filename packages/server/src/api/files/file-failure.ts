import { AgentError, type ErrorCode, escapeHidden, systemCodeOf } from '@qwen/protocol';

interface Failure {
  readonly code: ErrorCode;
  readonly reason: string;
}

const FAILURES: ReadonlyMap<string, Failure> = new Map([
  ['ENOENT', { code: 'file_not_found', reason: 'it does not exist' }],
  ['ENOTDIR', { code: 'file_not_found', reason: 'a part of the path is not a folder' }],
  ['EISDIR', { code: 'invalid_payload', reason: 'it is a folder' }],
  ['ENAMETOOLONG', { code: 'invalid_payload', reason: 'the name is too long' }],
  ['EACCES', { code: 'permission_denied', reason: 'the system denies access' }],
  ['EPERM', { code: 'permission_denied', reason: 'the operation is not permitted' }],
  ['EROFS', { code: 'permission_denied', reason: 'the file system is read-only' }],
  ['ENOSPC', { code: 'storage_full', reason: 'no space is left on the device' }],
  ['EDQUOT', { code: 'storage_full', reason: 'the disk quota is exceeded' }],
]);

/** Names only the path of the request. Other errors are unchanged. */
export function toFileFailure(thrown: unknown, verb: string, path: string): AgentError {
  const { data = {}, cause = thrown } = AgentError.is(thrown) ? thrown : {};
  const code = typeof data['systemCode'] === 'string' ? data['systemCode'] : systemCodeOf(cause);
  const known = FAILURES.get(code ?? '');
  if (known !== undefined)
    return fileFailure(known.code, `Cannot ${verb} ${escapeHidden(path)}: ${known.reason}.`, thrown);
  if (!AgentError.is(thrown)) return AgentError.from(thrown);
  // Otherwise the tools refuse only what is not a regular file.
  if (thrown.code !== 'tool_failed') return thrown;
  return fileFailure('invalid_payload', `Cannot ${verb} ${escapeHidden(path)}: it is not a regular file.`, thrown);
}

function fileFailure(code: ErrorCode, message: string, cause: unknown): AgentError {
  return new AgentError(code, message, { cause });
}
