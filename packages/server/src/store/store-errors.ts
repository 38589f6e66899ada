import { AgentError } from '@qwen/protocol';
import type { NewTurn } from './session-store.js';

export function notFound(sessionId: string): AgentError {
  return new AgentError('session_not_found', `There is no session ${JSON.stringify(sessionId)}.`);
}

export function exists(sessionId: string): AgentError {
  return new AgentError('session_exists', `There is a session ${sessionId} already.`);
}

export function refuseTurn(refusal: NewTurn['refusal'], openTurns: number): AgentError {
  const message =
    refusal === 'session_busy'
      ? 'The session has a turn that is not over.'
      : `The session has ${openTurns} messages that wait or run, and takes no more.`;
  return new AgentError(refusal, message, { data: { openTurns } });
}
