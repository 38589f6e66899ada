import { AgentError } from '@qwen/protocol';

/** During a failover, while replicas are missing and while Redis loads its data. */
const PASSING: ReadonlySet<string> = new Set(['NOREPLICAS', 'READONLY', 'LOADING', 'MASTERDOWN', 'UNBLOCKED']);

/**
 * `storage_full`; `storage_unwritable` if Redis refuses the command; `storage_unreachable` without a reply, in which
 * case it may have been executed.
 */
export function toRedisError(thrown: unknown): AgentError {
  if (AgentError.is(thrown)) return thrown;
  const { name, message } = thrown instanceof Error ? thrown : { name: '', message: String(thrown) };
  if (name !== 'ReplyError') {
    return new AgentError('storage_unreachable', `Redis does not answer: ${message}`, { cause: thrown });
  }
  // Redis has no other error code than the first word of the message.
  const [word = ''] = message.split(' ', 1);
  const code = word === 'OOM' ? 'storage_full' : PASSING.has(word) ? 'storage_unreachable' : 'storage_unwritable';
  return new AgentError(code, `Redis refused the command: ${message}`, { cause: thrown });
}

export function leaseLost(sessionId: string): AgentError {
  return new AgentError('lease_lost', `Another process has taken over session ${sessionId}.`);
}
