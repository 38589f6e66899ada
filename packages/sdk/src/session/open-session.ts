import type { QwenSession } from './qwen-session.js';
import type { SessionOptions } from './session-options.js';

/**
 * Starts a CLI that speaks the openai dialect and resolves when it is ready: with prompts in any number of sessions,
 * slash commands, hints, heartbeats and cancels over one process. Whoever opened it closes it. Rejects with
 * `invalid_options`, `cli_not_found`, `unsupported_protocol`, `unsupported_by_cli`, and with what the start fails with;
 * then no process is left.
 */
export async function openSession(options: SessionOptions = {}): Promise<QwenSession> {
  // Loads with the first session: a query needs none of it.
  const { startSession } = await import('./start-session.js');
  return startSession(options);
}
