import { type AgentError, encodeLine, toControlLine } from '@qwen/protocol';
import { systemMessage } from '../dialects/system-messages.js';

export interface RefusedLine {
  readonly error: AgentError;
  readonly lineNumber: number;
  readonly sessionId: string;
}

/** A line that is no use costs that line: its sender is told, and life goes on (GAP-12). */
export function lineRefusal({ error, lineNumber, sessionId }: RefusedLine): string {
  const { code, message, data } = error;
  const { requestId } = data;
  // Whoever asked something waits for an answer with this id, not for news about the session.
  if (typeof requestId === 'string') {
    return encodeLine(toControlLine({ kind: 'response', requestId, ok: false, error }));
  }
  const line = systemMessage({
    uuid: crypto.randomUUID(),
    session_id: sessionId,
    subtype: 'error',
    data: { ...data, code, message, line_number: lineNumber },
  });
  return encodeLine(line);
}
