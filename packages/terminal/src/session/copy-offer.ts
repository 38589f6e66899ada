import type { AgentEvent } from '@qwen/agent';
import { isConfirmed } from '@qwen/commands';
import type { QuestionQueue } from './question-queue.js';

/** Another process has the session open, so all prompts to it fail. */
export function isInUse({ outcome }: Extract<AgentEvent, { type: 'turn_end' }>): boolean {
  return outcome.type === 'error' && outcome.error.code === 'session_busy' && 'pid' in outcome.error.data;
}

export async function confirmCopy(questions: Pick<QuestionQueue, 'confirm'>): Promise<boolean> {
  const prompt = 'Another process uses this session. Continue in a copy of the conversation?';
  const { signal } = new AbortController();
  return isConfirmed(await questions.confirm({ type: 'confirm_action', prompt, raw: '' }, { signal }));
}
