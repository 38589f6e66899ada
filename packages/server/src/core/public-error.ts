import { AgentError, ERROR_CODES, type SDKResultMessage } from '@qwen/protocol';
import type { PublicError } from '../agent/turn-ending.js';

/** These say in their message what only the owner of the machine should read: stderr, paths, stacks (S78). */
const KEPT_BACK: ReadonlySet<string> = new Set(['process_exited', 'spawn_failed', 'cli_not_found', 'internal']);

/** What was thrown, as everybody may see it. */
export function toPublicError(thrown: unknown): PublicError {
  const { code, message, retryable } = AgentError.from(thrown);
  return { code, message: KEPT_BACK.has(code) ? ERROR_CODES[code].meaning : message, retryable };
}

/** What an agent says of a turn that failed. Its codes may be those of another version. */
export function errorOfResult({ subtype, error }: SDKResultMessage): PublicError {
  const code = error?.code ?? subtype;
  const known = Object.hasOwn(ERROR_CODES, code) ? ERROR_CODES[code as keyof typeof ERROR_CODES] : undefined;
  return { code, message: error?.message ?? `The turn ended with ${subtype}.`, retryable: known?.retryable ?? false };
}
