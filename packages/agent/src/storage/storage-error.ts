import { AgentError } from '@qwen/protocol';

const NO_SPACE: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
/** A home that is missing or read-only, as in many containers. */
const NOT_ALLOWED: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR']);

export function systemCode(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}

export function toStorageError(thrown: unknown, path: string): AgentError {
  if (AgentError.is(thrown)) return thrown;
  const code = systemCode(thrown);
  const data = { path, ...(code !== undefined && { systemCode: code }) };
  if (code !== undefined && NO_SPACE.has(code)) {
    return new AgentError('storage_full', `No space is left for ${path} (${code}).`, { cause: thrown, data });
  }
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  const next = code !== undefined && NOT_ALLOWED.has(code) ? '. Set QWEN_HOME to a writable folder.' : '';
  return new AgentError('storage_unwritable', `${path} cannot be written: ${why}${next}`, { cause: thrown, data });
}
