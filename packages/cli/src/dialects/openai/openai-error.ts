import type { AgentError, ErrorCode } from '@qwen/protocol';

const TYPES: Readonly<Partial<Record<ErrorCode, string>>> = {
  usage: 'invalid_request_error',
  invalid_options: 'invalid_request_error',
  invalid_settings: 'invalid_request_error',
  invalid_tool_input: 'invalid_request_error',
  unsupported_protocol: 'invalid_request_error',
  missing_credentials: 'authentication_error',
  auth_failed: 'authentication_error',
};

const CODES: Readonly<Partial<Record<ErrorCode, string>>> = { invalid_tool_input: 'QWEN_INVALID_TOOL_ARGS' };

export interface OpenAiError {
  readonly message: string;
  readonly type: string;
  /** The path of the invalid parameter. */
  readonly param: string | null;
  readonly code: string;
}

export function toOpenAiError({ code, message, data }: AgentError): OpenAiError {
  const { param } = data;
  return {
    message,
    type: TYPES[code] ?? 'server_error',
    param: typeof param === 'string' ? param : null,
    code: CODES[code] ?? `QWEN_${code.toUpperCase()}`,
  };
}
