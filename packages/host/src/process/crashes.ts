import { AgentError } from '@qwen/protocol';

/**
 * Calls `listener` with each error that nobody caught, thrown or rejected. Without a listener Node prints the stack and ends
 * the process, in the middle of a line. Returns the undo.
 */
export function onCrash(listener: (error: AgentError) => void): () => void {
  const hear = (thrown: unknown): void => listener(AgentError.from(thrown));
  process.on('uncaughtException', hear);
  return () => process.off('uncaughtException', hear);
}
