import type { PromptMessage } from '@qwen/agent';
import type { AgentHost } from './agent-host.js';
import { mayBeCommand } from './commands/known-commands.js';

/** See `AgentControls.steer()`. */
export async function steer(
  message: PromptMessage,
  { host, signal }: { readonly host: Pick<AgentHost, 'isIdle' | 'session'>; readonly signal: AbortSignal },
): Promise<boolean> {
  // A command is a separate turn.
  if (typeof message.content === 'string' && mayBeCommand(message.content)) return false;
  const session = await host.session();
  if (host.isIdle || signal.aborted) return false;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  session.submit({ ...message, onSteered: resolve });
  const withdraw = () => session.withdraw(message.uuid) && resolve(false);
  signal.addEventListener('abort', withdraw);
  return promise.finally(() => signal.removeEventListener('abort', withdraw));
}
