import { AgentError } from '@qwen/protocol';

/**
 * What a command of Redis failed of, with a code of ours: `storage_full`, `storage_unwritable` for what Redis refuses,
 * `storage_unreachable` when there was no answer. A command without an answer may have been carried out.
 */
export function toRedisError(thrown: unknown): AgentError {
  if (AgentError.is(thrown)) return thrown;
  const { name, message } = thrown instanceof Error ? thrown : { name: '', message: String(thrown) };
  if (name !== 'ReplyError') {
    return new AgentError('storage_unreachable', `Redis gives no answer: ${message}`, { cause: thrown });
  }
  // The first word of an error of Redis is its code; there is no other place for it.
  const code = message.startsWith('OOM ') ? 'storage_full' : 'storage_unwritable';
  return new AgentError(code, `Redis refuses: ${message}`, { cause: thrown });
}

/** Whoever writes under a lease that another process has by now. */
export function leaseLost(sessionId: string): AgentError {
  return new AgentError('lease_lost', `Another process has taken over the session ${sessionId}.`);
}
