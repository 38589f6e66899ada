import type { SessionLog } from '@qwen/agent';
import type { OpenedSession } from '@qwen/agent/node';
import { renderConversation } from '@qwen/commands';
import { AgentError, type SessionRecord } from '@qwen/protocol';
import { writeFileAtomic } from '@qwen/tools/files';

/** Writes the records after each turn. A failed write fails the turn with `storage_unwritable`. */
export function withTrajectory({ log, sessionId, records }: OpenedSession, path: string): SessionLog {
  const ofRun: SessionRecord[] = [...records];
  return {
    append: async (record) => {
      await log.append(record);
      ofRun.push(record);
      if (record.type === 'turn_end')
        await writeTrajectory(path, renderConversation('atif', ofRun, { sessionId, model: '' }));
    },
    close: () => log.close(),
  };
}

async function writeTrajectory(path: string, text: string): Promise<void> {
  try {
    await writeFileAtomic(path, text, { mode: 0o600 });
  } catch (cause) {
    throw new AgentError('storage_unwritable', `The trajectory ${path} cannot be written. Check --trajectory.`, {
      cause,
    });
  }
}
