import type { Surface } from '@qwen/host/config/surface.js';
import { type AgentError, encodeLine, type SDKSystemMessage } from '@qwen/protocol';
import { createLineClock } from '../dialects/openai/line-clock.js';
import { toOpenAiError } from '../dialects/openai/openai-error.js';
import { fatalLines } from '../dialects/openai/process-lines.js';

export interface FatalStart {
  readonly argv: readonly string[];
  readonly dialect: Surface['dialect'];
}

/** The error that ends the program, in a JSON output format, line ends included. */
export function fatalOutput(error: AgentError, { argv, dialect }: FatalStart): string {
  if (dialect === 'sdk') return encodeLine(fatalMessage(error));
  const format = argv.some((word) => word.endsWith('stream-chunk-json')) ? 'chunk' : 'message';
  const clock = createLineClock(() => Date.now());
  return fatalLines({ format, clock, sessionId: 'none', model: '' }, toOpenAiError(error)).map(encodeLine).join('');
}

function fatalMessage({ code, message, data }: AgentError): SDKSystemMessage {
  return {
    type: 'system',
    subtype: 'error',
    uuid: crypto.randomUUID(),
    session_id: '',
    data: { ...data, code, message, fatal: true },
  };
}
