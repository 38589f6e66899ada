import { appendFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { conversationFileOf } from '../../agent/agent-folders.js';
import type { AgentLaunch } from '../../agent/agent-process.js';
import { type ConversationFork, forkConversation } from '../../agent/fork-conversation.js';
import type { ConversationStore } from '../../store/redis/conversation-store.js';
import { ConversationSync } from './conversation-sync.js';

export interface SharedForkOptions {
  readonly launch: AgentLaunch;
  readonly conversations: ConversationStore;
}

const CHUNK_BYTES = 256 * 1024;
/** Older than that of every worker. */
const FENCE = '1:fork';

/** Copies a conversation in Redis, in a temporary folder: its worker may be on another machine. */
export async function forkSharedConversation(
  fork: ConversationFork,
  { launch, conversations }: SharedForkOptions,
): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'qwen-fork-'));
  const local: AgentLaunch = { ...launch, env: { ...launch.env, QWEN_HOME: home } };
  const path = conversationFileOf(local, fork.sourceId);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    for (let start = 0; ; start += CHUNK_BYTES) {
      const bytes = await conversations.read(fork.sourceId, { start, end: start + CHUNK_BYTES });
      await appendFile(path, bytes, { mode: 0o600 });
      if (bytes.length < CHUNK_BYTES) break;
    }
    await forkConversation(fork, local);
    const { sessionId } = fork;
    const copy = { sessionId, fence: FENCE, path: conversationFileOf(local, sessionId), conversations };
    await new ConversationSync(copy).persist();
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
