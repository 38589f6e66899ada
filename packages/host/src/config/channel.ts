import type { Flags } from '../flags/args.js';
import type { Environment } from './env.js';

/** Whether an SDK started this process: by flag, by variable, or as the Claude Agent SDK marks it. */
export function isSdkChannel(flags: Pick<Flags, 'channel'>, environment: Environment): boolean {
  const named = flags.channel ?? environment.QWEN_CHANNEL ?? environment.GEMINI_CHANNEL;
  return named === 'SDK' || isClaudeAgentSdk(environment);
}

/** This client rejects permission suggestions in our format. */
export function isClaudeAgentSdk(environment: Environment): boolean {
  return environment.CLAUDE_CODE_ENTRYPOINT?.startsWith('sdk-') ?? false;
}
