import { AgentError, type ContentBlock } from '@qwen/protocol';
import type { NewMessage } from './session-service.js';

const CLIENT_KEY = /^[\x21-\x7e]{1,200}$/;

/** A message as blocks. Errors: `invalid_payload` for one that says nothing, or a key that is none. */
export function checkMessage({ content, clientKey }: NewMessage): readonly ContentBlock[] {
  if (clientKey !== undefined && !CLIENT_KEY.test(clientKey)) {
    throw new AgentError('invalid_payload', 'The key of a request is 1 to 200 visible ASCII characters.');
  }
  const blocks: readonly ContentBlock[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const says = blocks.some((block) => block.type !== 'text' || block.text.trim() !== '');
  if (says) return blocks;
  throw new AgentError('invalid_payload', 'The message is empty.');
}

/** What the history shows of a message (GAP-74). */
export function textOf(content: readonly ContentBlock[]): string {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return texts.join('\n');
}
