import type { AgentError } from '@qwen/protocol';

/** OpenAI's words for what went wrong; everything else is a fault of the server. */
const TYPES: Readonly<Record<string, string>> = {
  usage: 'invalid_request_error',
  invalid_options: 'invalid_request_error',
  invalid_settings: 'invalid_request_error',
  invalid_tool_input: 'invalid_request_error',
  unsupported_protocol: 'invalid_request_error',
  missing_credentials: 'authentication_error',
  auth_failed: 'authentication_error',
};

const CODES: Readonly<Record<string, string>> = { invalid_tool_input: 'QWEN_INVALID_TOOL_ARGS' };

/** What the API of OpenAI says of an error. */
export interface OpenAiError {
  readonly message: string;
  readonly type: string;
  /** The path of what is to blame in the request. */
  readonly param: string | null;
  readonly code: string;
}

/** An error in OpenAI's words (K-06, K-07). */
export function toOpenAiError({ code, message, data }: AgentError): OpenAiError {
  const { param } = data;
  return {
    message,
    type: TYPES[code] ?? 'server_error',
    param: typeof param === 'string' ? param : null,
    code: CODES[code] ?? `QWEN_${code.toUpperCase()}`,
  };
}
