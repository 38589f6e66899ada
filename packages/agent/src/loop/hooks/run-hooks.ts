import { AgentError } from '@qwen/protocol';
import { type HookMoment, type HookVerdict, NO_VERDICT } from '../../hook-port.js';
import { unlessAborted } from '../abortable.js';
import type { TurnContext } from '../turn-context.js';
import { toPlainHookText } from './hook-text.js';

/**
 * What the hooks say to this moment. A verdict that wants it stops the turn. When the turn is interrupted meanwhile,
 * nothing is said and nobody waits for the hooks: look at the signal of the turn before going on. Never rejects.
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

/** The port promises not to reject; a fault there must still not let anything through (S28). */
function verdictOfFault(event: HookMoment['event'], reason: string): HookVerdict {
  if (event === 'PreToolUse') return { permission: { behavior: 'deny', reason } };
  return event === 'UserPromptSubmit' ? { block: { reason } } : NO_VERDICT;
}
