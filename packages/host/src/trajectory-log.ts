import { rename, rm, writeFile } from 'node:fs/promises';
import type { SessionLog } from '@qwen/agent';
import type { OpenedSession } from '@qwen/agent/node';
import { renderConversation } from '@qwen/commands';
import { AgentError, type SessionRecord } from '@qwen/protocol';

/**
 * Writes the records of this run to the file after each turn, also one that a signal ended. A turn fails with
 * `storage_unwritable` if the file cannot be written: an evaluation without its trajectory is lost.
 */
export function withTrajectory({ log, sessionId, records }: OpenedSession, path: string): SessionLog {
  const ofRun: SessionRecord[] = [...records];
  return {
    append: async (record) => {
      await log.append(record);
      ofRun.push(record);
      if (record.type === 'turn_end')
        await replaceFile(path, renderConversation('atif', ofRun, { sessionId, model: '' }));
    },
    close: () => log.close(),
  };
}

/** Mode 0600, because conversations may contain secrets. A reader never sees half a file. */
async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(draft, text, { mode: 0o600 });
    await rename(draft, path);
  } catch (cause) {
    await rm(draft, { force: true });
    throw new AgentError('storage_unwritable', `The trajectory ${path} cannot be written. Check --trajectory.`, {
      cause,
    });
  }
}
