import { AgentError, AsyncQueue, type SDKUserMessage } from '@qwen/protocol';
import { deleteSession, forkSession, query } from '@qwen/sdk';
import type { AgentLaunch } from './agent-process.js';

export interface ConversationFork {
  readonly sourceId: string;
  readonly sessionId: string;
  /** Absolute. */
  readonly workspaceRoot: string;
  /** The id of a prompt: the copy ends before it. Default: copy everything. */
  readonly before?: string | undefined;
}

/** Copies a conversation on this machine. Errors: `session_not_found`, `message_not_found`, those of starting an agent. */
export async function forkConversation(
  { sourceId, sessionId, workspaceRoot, before }: ConversationFork,
  launch: AgentLaunch,
): Promise<void> {
  await forkSession(sourceId, { ...launch, newSessionId: sessionId });
  if (before === undefined) return;
  const agent = query({
    prompt: new AsyncQueue<SDKUserMessage>(),
    options: { ...launch, cwd: workspaceRoot, resume: sessionId, settingSources: [] },
  });
  try {
    await agent.rewindConversation(before);
  } catch (thrown) {
    await agent.close();
    await deleteSession(sessionId, launch);
    if (AgentError.from(thrown).code !== 'message_not_found') throw thrown;
    const reason = 'The conversation has no such message: it was rewound, cleared or not sent yet, or is a command.';
    throw new AgentError('message_not_found', reason, { cause: thrown });
  }
  await agent.close();
}
