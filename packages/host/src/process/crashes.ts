import { AgentError } from '@qwen/protocol';

/**
 * Calls `listener` with each uncaught error or rejection; without it, Node prints a stack in the middle of a line
 * and exits. Returns a function that removes it.
 */
export function onCrash(listener: (error: AgentError) => void): () => void {
  const hear = (thrown: unknown): void => listener(AgentError.from(thrown));
  process.on('uncaughtException', hear);
  return () => process.off('uncaughtException', hear);
}
