import { AgentError } from '@qwen/protocol';

/** Without it, Node.js prints a stack within a line and exits. Returns a function that removes the listener. */
export function onCrash(listener: (error: AgentError) => void): () => void {
  const listen = (thrown: unknown): void => listener(AgentError.from(thrown));
  process.on('uncaughtException', listen);
  return () => process.off('uncaughtException', listen);
}
