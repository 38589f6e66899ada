import { AgentError, type ContentBlock, isLooserSandbox, type SandboxOption } from '@qwen/protocol';
import type { NewMessage } from './session-service.js';

const CLIENT_KEY = /^[\x21-\x7e]{1,200}$/;

/** Agents check it against their settings too. Errors: `forbidden`. */
export function checkSandbox(sandbox: SandboxOption | undefined, limit: SandboxOption | undefined): void {
  if (sandbox === undefined || limit === undefined || !isLooserSandbox(sandbox, limit)) return;
  throw new AgentError('forbidden', `The sandbox ${sandbox} is looser than ${limit}, which this server requires.`);
}

/** Errors: `invalid_payload`. */
export function checkMessage({ content, clientKey }: NewMessage): readonly ContentBlock[] {
  if (clientKey !== undefined && !CLIENT_KEY.test(clientKey)) {
    throw new AgentError('invalid_payload', 'The idempotency key must be 1 to 200 visible ASCII characters.');
  }
  const blocks: readonly ContentBlock[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const hasContent = blocks.some((block) => block.type !== 'text' || block.text.trim() !== '');
  if (hasContent) return blocks;
  throw new AgentError('invalid_payload', 'The message is empty.');
}
