import { AgentError } from '@qwen/protocol';
import type { NewTurn } from './session-store.js';

export function notFound(sessionId: string): AgentError {
  return new AgentError('session_not_found', `No session has the id ${JSON.stringify(sessionId)}.`);
}

export function exists(sessionId: string): AgentError {
  return new AgentError('session_exists', `Session ${sessionId} already exists.`);
}

export function refuseTurn(refusal: NewTurn['refusal'], openTurns: number): AgentError {
  const message =
    refusal === 'session_busy'
      ? 'A turn of the session is still open.'
      : `The session already has ${openTurns} open turns.`;
  return new AgentError(refusal, message, { data: { openTurns } });
}
