import { AgentError, type ContentBlock } from '@qwen/protocol';
import type { TurnContext } from '../turn-context.js';
import { toHookContext, toPlainHookText, withTexts } from './hook-text.js';
import { runHooks } from './run-hooks.js';
import type { SessionStartHooks } from './session-start-hooks.js';

type Content = string | readonly ContentBlock[];

/**
 * Lets hooks have their say before a prompt is taken, and gives what is to stand in the conversation: the prompt, and
 * behind it what hooks add. Undefined when the turn was interrupted meanwhile, which takes no prompt either. Throws
 * `hook_blocked` with the reason when a hook does not take it.
 */
export async function runPromptHooks(
  content: Content,
  opening: SessionStartHooks,
  context: TurnContext,
): Promise<Content | undefined> {
  const atStart = await opening.context(context);
  const { block, additionalContext = '' } = await runHooks(
    { event: 'UserPromptSubmit', prompt: toText(content) },
    context,
  );
  if (block !== undefined) {
    throw new AgentError('hook_blocked', `A hook did not take the prompt: ${toPlainHookText(block.reason)}`);
  }
  // Without hooks nothing was waited for, and a prompt that was stopped at once is part of the conversation.
  if (context.control.signal.aborted && context.hooks.has('UserPromptSubmit')) return undefined;
  const added = additionalContext.trim() === '' ? '' : toHookContext('UserPromptSubmit', additionalContext);
  const texts = [atStart, added].filter((text) => text !== '');
  if (texts.length === 0) return content;
  // Blocks of their own, so that the prompt stays what was said.
  return withTexts(typeof content === 'string' ? [{ type: 'text', text: content }] : content, texts);
}

function toText(content: Content): string {
  if (typeof content === 'string') return content;
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
