import { type AgentError, encodeLine, toControlLine } from '@qwen/protocol';
import { systemMessage } from '../dialects/system-messages.js';

export interface RefusedLine {
  readonly error: AgentError;
  readonly lineNumber: number;
  readonly sessionId: string;
}

/** An invalid line costs that line only. */
export function lineRefusal({ error, lineNumber, sessionId }: RefusedLine): string {
  const { code, message, data } = error;
  const { requestId } = data;
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
