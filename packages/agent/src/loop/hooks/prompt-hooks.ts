import { AgentError, type ContentBlock, contentText } from '@qwen/protocol';
import type { TurnContext } from '../turn-context.js';
import { toHookContext, toPlainHookText, withTexts } from './hook-text.js';
import { runHooks } from './run-hooks.js';
import type { SessionStartHooks } from './session-start-hooks.js';

type Content = string | readonly ContentBlock[];

/**
 * Returns the prompt with the context of hooks added; undefined if the turn was interrupted. Throws `hook_blocked`.
 */
export async function runPromptHooks(
  content: Content,
  opening: SessionStartHooks,
  context: TurnContext,
): Promise<Content | undefined> {
  const atStart = await opening.context(context);
  const { block, additionalContext = '' } = await runHooks(
    { event: 'UserPromptSubmit', prompt: contentText(content) },
    context,
  );
  if (block !== undefined) {
    throw new AgentError('hook_blocked', `A hook blocked the prompt: ${toPlainHookText(block.reason)}`);
  }
  // Without hooks, a prompt that was interrupted at once is part of the conversation.
  if (context.control.signal.aborted && context.hooks.has('UserPromptSubmit')) return undefined;
  const added = additionalContext.trim() === '' ? '' : toHookContext('UserPromptSubmit', additionalContext);
  const texts = [atStart, added].filter((text) => text !== '');
  if (texts.length === 0) return content;
  // Separate blocks keep the prompt as written.
  return withTexts(typeof content === 'string' ? [{ type: 'text', text: content }] : content, texts);
}
