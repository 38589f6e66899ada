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
    const settled = await unlessAborted(hooks.run(moment, { signal }), signal);
    if (settled.aborted) return NO_VERDICT;
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
  return event === 'UserPromptSubmit' ? { block: { reason } } : NO_VERDICT;
}
