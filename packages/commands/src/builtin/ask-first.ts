import { type CommandCall, isConfirmed } from '../command.js';
import { type CommandOutcome, says } from '../command-outcome.js';

/** What to answer instead of going on, until a person has said yes (F-28). Undefined: go on. */
export function askFirst(call: CommandCall, prompt: string): CommandOutcome | undefined {
  if (isConfirmed(call)) return undefined;
  if (call.confirmationOutcome === 'cancel') return says('Cancelled: nothing was changed.');
  return { type: 'confirm_action', prompt, rawInvocation: call.raw };
}
