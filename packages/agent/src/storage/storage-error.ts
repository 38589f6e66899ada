import { AgentError, messageOf, systemCodeOf } from '@qwen/protocol';

const NO_SPACE: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
/** A home that is missing or read-only, as in many containers. */
const NOT_ALLOWED: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR']);

export function toStorageError(thrown: unknown, path: string): AgentError {
  if (AgentError.is(thrown)) return thrown;
  const code = systemCodeOf(thrown);
  const data = { path, ...(code !== undefined && { systemCode: code }) };
  if (code !== undefined && NO_SPACE.has(code)) {
    return new AgentError('storage_full', `No space is left for ${path} (${code}).`, { cause: thrown, data });
  }
  const next = code !== undefined && NOT_ALLOWED.has(code) ? '. Set QWEN_HOME to a writable folder.' : '';
  return new AgentError('storage_unwritable', `${path} cannot be written: ${messageOf(thrown)}${next}`, {
    cause: thrown,
    data,
  });
}
