import type { QwenSession } from './qwen-session.js';
import type { SessionOptions } from './session-options.js';

/**
 * Starts a CLI in the openai dialect and resolves when it is ready. One process serves any number of sessions. The
 * caller closes it.
 *
 * @example
 * import { openSession } from '@qwen/sdk';
 *
 * await using session = await openSession();
 * const { text } = await session.prompt('What does this project do?').result;
 * console.log(text);
 *
 * @throws {AgentError} Rejects with `invalid_options`, `cli_not_found`, `unsupported_protocol`, `unsupported_by_cli`
 * or an error of the start. No process is left then.
 */
export async function openSession(options: SessionOptions = {}): Promise<QwenSession> {
  // Loaded on demand: a query needs none of it.
  const { startSession } = await import('../on-demand.js');
  return startSession(options);
}
