import { AgentError } from '@qwen/protocol';
import { type HookMoment, type HookVerdict, NO_VERDICT } from '../../hook-port.js';
import { unlessAborted } from '../abortable.js';
import type { TurnContext } from '../turn-context.js';
import { toPlainHookText } from './hook-text.js';

/**
 * Runs hooks and stops the turn if they request it. After an interrupt it does not wait for them: check the signal.
 * Never rejects.
 */
export async function runHooks(
  moment: HookMoment,
  { hooks, control }: Pick<TurnContext, 'hooks' | 'control'>,
): Promise<HookVerdict> {
  if (!hooks.has(moment.event)) return NO_VERDICT;
  const { signal } = control;
  try {
    const running = hooks.run(moment, { signal });
    // A result must not pass by an interrupt.
    if (moment.event === 'PostToolUse' && signal.aborted) return await running;
    const settled = await unlessAborted(running, signal);
    if (settled.aborted) return moment.event === 'PostToolUse' ? await running : NO_VERDICT;
    const { stop } = settled.value;
    if (stop !== undefined) control.interrupt({ by: 'hook', reason: toPlainHookText(stop.reason) });
    return settled.value;
  } catch (thrown) {
    return verdictOfFault(moment.event, `The hook failed: ${AgentError.from(thrown).message}`);
  }
}

/** The port never rejects; if it does, nothing may pass. */
function verdictOfFault(event: HookMoment['event'], reason: string): HookVerdict {
  if (event === 'PreToolUse') return { permission: { behavior: 'deny', reason } };
  if (event === 'PostToolUse') return { withhold: { reason } };
  if (event === 'PermissionRequest') return { permission: { behavior: 'ask', reason } };
  return event === 'UserPromptSubmit' ? { block: { reason } } : NO_VERDICT;
}
