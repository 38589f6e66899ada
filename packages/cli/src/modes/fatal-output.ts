import { type AgentError, encodeLine } from '@qwen/protocol';
import type { FatalErrorLine } from '@qwen/protocol/openai';
import { createLineClock } from '../dialects/openai/line-clock.js';
import { fatalLines } from '../dialects/openai/process-lines.js';

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

/** An error in OpenAI's words (K-06, K-07). */
export function toOpenAiError({ code, message, data }: AgentError): Required<FatalErrorLine['error']> {
  const { param } = data;
  return {
    message,
    type: TYPES[code] ?? 'server_error',
    param: typeof param === 'string' ? param : null,
    code: CODES[code] ?? `QWEN_${code.toUpperCase()}`,
  };
}

/** What a program reads that asked for lines and gets none, line ends included (C-16). */
export function fatalOutput(error: AgentError, argv: readonly string[]): string {
  const format = argv.some((word) => word.endsWith('stream-chunk-json')) ? 'chunk' : 'message';
  const clock = createLineClock(() => Date.now());
  return fatalLines({ format, clock, sessionId: 'none', model: '' }, toOpenAiError(error)).map(encodeLine).join('');
}
