import { AgentError, type ControlHandler, describeIssue, hookOutputSchema } from '@qwen/protocol';
import type { HookRegistry } from '../hooks/hook-registry.js';

/**
 * Serves `hook_callback` with the hooks of the app. Whatever goes wrong is an error answer, and the CLI decides by
 * `blocking` what it means (FB5). `onProblem` hears what the app got wrong.
 */
export function createHookCallbackHandler(
  hooks: HookRegistry,
  onProblem: (error: AgentError) => void,
): ControlHandler<'hook_callback'> {
  return async ({ callback_id: callbackId, input, tool_use_id: toolUseId }, { signal }) => {
    try {
      const answer = await hooks.call(callbackId, { input, toolUseId: toolUseId ?? undefined, context: { signal } });
      const parsed = hookOutputSchema.safeParse(answer ?? {});
      if (parsed.success) return parsed.data;
      throw new AgentError('hook_failed', describeIssue('hook output', parsed.error));
    } catch (thrown) {
      const error = AgentError.from(thrown, 'hook_failed');
      onProblem(error);
      throw error;
    }
  };
}
