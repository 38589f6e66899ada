import { AgentError } from '@qwen/protocol';
import { chatEventSchema } from '@qwen/protocol/server';
import type { ServerClient } from '../server/server-client.js';
import type { OpenConversation } from './open-conversation.js';

export interface OutgoingMessage {
  readonly client: ServerClient;
  readonly conversation: OpenConversation;
  readonly text: string;
}

/** The server has taken the message. */
export interface TakenMessage {
  /** Another one than was meant when the session was gone: the server made a new one then. */
  readonly sessionId: string;
}

/**
 * Sends a message and resolves as soon as the server has it. Its turn is followed through the log, so the stream of the
 * request is let go once the log has the turn; what only that stream says, such as the output of a command that needs
 * no turn, becomes a remark. Errors: those of the client; nothing was sent then, as far as the page can know.
 */
export async function sendMessage({ client, conversation, text }: OutgoingMessage): Promise<TakenMessage> {
  const abort = new AbortController();
  const request = { message: text, sessionId: conversation.sessionId };
  const events = client.stream('/api/chat/stream', request, { signal: abort.signal });
  const first = await events.next();
  if (first.done === true) throw new AgentError('channel_closed', 'The server did not take the message.');
  const connected = chatEventSchema.parse(JSON.parse(first.value.data));
  if (connected.type !== 'connected') {
    throw new AgentError('channel_closed', connected.type === 'error' ? connected.message : 'The answer is odd.');
  }
  const { requestId, sessionId } = connected;
  const isInLog = () =>
    conversation.state.conversation.entries.some((e) => e.kind === 'user' && e.requestId === requestId);
  const unfollow = conversation.follow(() => isInLog() && abort.abort());
  void hearRest()
    .catch(() => undefined)
    .finally(unfollow);
  return { sessionId };

  async function hearRest(): Promise<void> {
    const said: { level: 'info' | 'error'; text: string }[] = [];
    let output = '';
    for await (const { data } of events) {
      const event = chatEventSchema.safeParse(JSON.parse(data)).data;
      if (event?.type === 'Content') output += event.value;
      if (event?.type === 'error') said.push({ level: 'error', text: event.message });
    }
    // All that is in the log is there by now.
    await conversation.catchUp();
    if (isInLog()) return;
    if (output !== '') conversation.remark(output, 'info');
    for (const { text: words, level } of said) conversation.remark(words, level);
  }
}
