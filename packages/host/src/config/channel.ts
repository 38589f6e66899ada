import type { Flags } from '../flags/args.js';
import type { Environment } from './env.js';

/**
 * Whether an SDK drives us (A-24, CF-02, FEATURES D8): by flag, by variable, or because the Claude Agent SDK says so.
 */
export function isSdkChannel(flags: Pick<Flags, 'channel'>, environment: Environment): boolean {
  const named = flags.channel ?? environment.QWEN_CHANNEL ?? environment.GEMINI_CHANNEL;
  return named === 'SDK' || isClaudeAgentSdk(environment);
}

/** Its reader refuses permission suggestions of our kind. */
export function isClaudeAgentSdk(environment: Environment): boolean {
  return environment.CLAUDE_CODE_ENTRYPOINT?.startsWith('sdk-') ?? false;
}
