import { ERROR_CODES, type ErrorCode, type WireError } from '@qwen/protocol';
import type { ChatError } from '@qwen/protocol/server';

const NO_SESSION = 'Session not found';

const KIND_OF_CODE: Readonly<Partial<Record<ErrorCode, string>>> = {
  session_not_found: NO_SESSION,
  session_busy: 'Session is busy',
  turn_not_found: 'Request not found',
  approval_not_found: 'Confirmation not found',
  file_not_found: 'File not found',
  unknown_command: 'Command not found',
  interrupted: 'Interrupted',
  turn_failed: 'Agent error',
};

const KIND_OF_STATUS: Readonly<Record<number, string>> = {
  400: 'Invalid request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  413: 'Too large',
  415: 'Unsupported media type',
  429: 'Too many requests',
  499: 'Cancelled',
  500: 'Internal error',
  503: 'Unavailable',
  504: 'Timed out',
};

/** A label for people. Unknown codes are those of agents. */
export function failureKind(code: string): string {
  const info = isErrorCode(code) ? ERROR_CODES[code] : undefined;
  if (info === undefined) return 'Agent error';
  return (isErrorCode(code) ? KIND_OF_CODE[code] : undefined) ?? KIND_OF_STATUS[info.httpStatus] ?? 'Agent error';
}

export function toChatError(
  { message, code = 'internal', data }: WireError,
  path = '',
): ChatError & Readonly<Record<string, unknown>> {
  const errorId = data?.['error_id'];
  const general = { error: failureKind(code), message, code, ...(typeof errorId === 'string' && { errorId }) };
  switch (path) {
    case '/api/session/add-directory':
      return code === 'session_not_found' ? { success: false, added: [], errors: [NO_SESSION], ...general } : general;
    case '/api/commands/execute':
    case '/api/commands/help':
      return { success: false, ...general, ...(code === 'unknown_command' && { error: message }) };
    case '/api/commands/list':
      return { success: false, ...general };
    default:
      return general;
  }
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CODES, code);
}
