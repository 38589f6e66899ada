import type { AgentEvent } from '../events.js';
import { runPromptHooks } from '../loop/hooks/prompt-hooks.js';
import type { SessionStartHooks } from '../loop/hooks/session-start-hooks.js';
import type { TurnContext } from '../loop/turn-context.js';
import type { Inbox } from './inbox.js';

/**
 * Adds the messages with priority to the running turn, in order. Those that are not added stay in the inbox: after an
 * interrupt, when a hook blocks one, and when the log rejects it. Rejects with an error of the log.
 */
export async function* takeMessages(
  { inbox, opening }: { readonly inbox: Inbox; readonly opening: SessionStartHooks },
  context: TurnContext,
): AsyncGenerator<AgentEvent, void> {
  const { control, clock, record } = context;
  for (let message = inbox.forRunningTurn; message !== undefined; message = inbox.forRunningTurn) {
    const { uuid, priority = 'next' } = message;
    const content = await runPromptHooks(message.content, opening, context).catch(() => 'blocked' as const);
    if (control.signal.aborted || content === undefined) return;
    if (content === 'blocked') {
      // The message gets its own turn, which reports the reason.
      inbox.defer(uuid);
      continue;
    }
    // The sender may have withdrawn it.
    if (!inbox.withdraw(uuid)) continue;
    try {
      await record({
        type: 'user',
        uuid,
        at: clock.isoTime(),
        content: typeof content === 'string' ? content : [...content],
      });
    } catch (thrown) {
      inbox.restore(message);
      throw thrown;
    }
    message.onSteered?.(true);
    yield { type: 'prompt_taken', uuid, content: message.content, priority };
  }
}
