import { rename, rm, writeFile } from 'node:fs/promises';
import type { SessionLog } from '@qwen/agent';
import type { OpenedSession } from '@qwen/agent/node';
import { renderConversation } from '@qwen/commands';
import { AgentError, type SessionRecord } from '@qwen/protocol';

/** Writes the records after each turn. A failed write fails the turn with `storage_unwritable`. */
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

/** Atomic, with mode 0600. */
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
