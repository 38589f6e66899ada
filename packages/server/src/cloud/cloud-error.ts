import { ERROR_CODES, type ErrorCode, type WireError } from '@qwen/protocol';
import type { CloudError } from '@qwen/protocol/server';

const KIND_OF_STATUS: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
};

export function toCloudError({ message, code = 'internal', data }: WireError): CloudError {
  const errorId = data?.['error_id'];
  return {
    type: 'error',
    error: { type: kindOf(code), message, code, ...(typeof errorId === 'string' && { error_id: errorId }) },
  };
}

function kindOf(code: string): string {
  const status = isErrorCode(code) ? ERROR_CODES[code].httpStatus : 500;
  return KIND_OF_STATUS[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CODES, code);
}
