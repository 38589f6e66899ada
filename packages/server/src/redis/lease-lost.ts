import { AgentError } from '@qwen/protocol';

/** Whoever writes under a lease that another process has by now. */
export function leaseLost(sessionId: string): AgentError {
  return new AgentError('lease_lost', `Another process has taken over the session ${sessionId}.`);
}
