import { AgentError } from '@qwen/protocol';
import { chatEventSchema } from '@qwen/protocol/server';
import type { ServerClient } from '../server/server-client.js';
import type { PageClock } from './page-clock.js';

export interface OutgoingMessage {
  readonly client: ServerClient;
  readonly sessionId: string;
  readonly text: string;
  readonly clock: PageClock;
}

export interface SentMessage {
  /** Differs if the session was gone and the server created a new one. */
  readonly sessionId: string;
}

const ATTEMPTS = 4;
const PAUSE_MS = 700;

/**
 * Resolves when the server has the message; the log delivers its turn. All attempts have one idempotency key, so that the
 * message is sent once. Errors: those of the client.
 */
export async function sendMessage(message: OutgoingMessage): Promise<SentMessage> {
  const key = crypto.getRandomValues(new Uint32Array(4)).join('-');
  const never = new AbortController().signal;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await sendOnce(message, key);
    } catch (thrown) {
      const isCut = AgentError.is(thrown) && thrown.code === 'channel_closed';
      if (!isCut || attempt === ATTEMPTS) throw thrown;
      await message.clock.pause(PAUSE_MS * attempt, never);
    }
  }
}

async function sendOnce({ client, sessionId, text }: OutgoingMessage, key: string): Promise<SentMessage> {
  const abort = new AbortController();
  const request = { message: text, sessionId };
  const options = { signal: abort.signal, idempotencyKey: key };
  for await (const { data } of client.stream('/api/chat/stream', request, options)) {
    const event = chatEventSchema.parse(JSON.parse(data));
    if (event.type === 'connected') return { sessionId: event.sessionId };
    if (event.type === 'error') throw new AgentError('channel_closed', event.message);
  }
  throw new AgentError('channel_closed', 'The server did not accept the message.');
}
