import { rm } from 'node:fs/promises';
import type { AgentEvent } from '@qwen/agent';
import { AgentError } from '@qwen/protocol';
import { writeFileAtomic } from '@qwen/tools/files';

/**
 * Writes the answer of a turn that succeeded to the file, which does not exist while a turn runs and after one that
 * failed. If the file cannot be changed, the returned end of the turn has the error `storage_unwritable`.
 */
export async function keepLastMessage(event: AgentEvent, path: string): Promise<AgentEvent> {
  if (event.type !== 'turn_start' && event.type !== 'turn_end') return event;
  try {
    if (event.type === 'turn_end' && event.outcome.type === 'success') {
      await writeFileAtomic(path, event.outcome.text, { mode: 0o600 });
    } else {
      await rm(path, { force: true });
    }
    return event;
  } catch (cause) {
    if (event.type === 'turn_start' || event.outcome.type === 'error') return event;
    const message = `The answer cannot be written to ${path}. Check --output-last-message.`;
    return { ...event, outcome: { type: 'error', error: new AgentError('storage_unwritable', message, { cause }) } };
  }
}
