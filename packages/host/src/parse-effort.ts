import { AgentError, EFFORTS, type Effort, isEffort } from '@qwen/protocol';

/** Throws `invalid_payload` that names the words there are; `place` is where the word stood. */
export function parseEffort(word: string, place: string): Effort {
  if (isEffort(word)) return word;
  throw new AgentError('invalid_payload', `${place}: "${word}" is not one of ${EFFORTS.join(', ')}`);
}
