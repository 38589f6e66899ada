import { AgentError, EFFORTS, type Effort, isEffort } from '@qwen/protocol';

/** Throws `invalid_payload`, listing the valid values; `place` names the source of the word. */
export function parseEffort(word: string, place: string): Effort {
  if (isEffort(word)) return word;
  throw new AgentError('invalid_payload', `${place}: "${word}" is not one of ${EFFORTS.join(', ')}`);
}
