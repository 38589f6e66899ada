import { AgentError, encodeLine, type SDKSystemMessage, toControlLine } from '@qwen/protocol';

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
  const line = {
    type: 'system',
    subtype: 'error',
    uuid: crypto.randomUUID(),
    session_id: sessionId,
    data: { ...data, code, message, line_number: lineNumber },
  } as const satisfies SDKSystemMessage;
  return encodeLine(line);
}

export function unexpectedType(type: string): AgentError {
  return new AgentError('invalid_message', `Unexpected line type "${type}".`);
}
