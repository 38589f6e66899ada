import { type AgentError, encodeLine } from '@qwen/protocol';
import { createLineClock } from '../dialects/openai/line-clock.js';
import { toOpenAiError } from '../dialects/openai/openai-error.js';
import { fatalLines } from '../dialects/openai/process-lines.js';

/** The fatal error in a JSON output format, line ends included. */
export function fatalOutput(error: AgentError, argv: readonly string[]): string {
  const format = argv.some((word) => word.endsWith('stream-chunk-json')) ? 'chunk' : 'message';
  const clock = createLineClock(() => Date.now());
  return fatalLines({ format, clock, sessionId: 'none', model: '' }, toOpenAiError(error)).map(encodeLine).join('');
}
