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

/** The server has taken the message. */
export interface TakenMessage {
  /** Another one than was meant when the session was gone: the server made a new one then. */
  readonly sessionId: string;
}

const ATTEMPTS = 4;
const PAUSE_MS = 700;

/**
 * Sends a message and resolves as soon as the server has it. All attempts carry one key, so that a message whose answer
 * was lost is not said twice (F129). Its turn is followed through the log and not here: a turn does not know of its
 * stream. Errors: those of the client.
 */
export async function sendMessage(message: OutgoingMessage): Promise<TakenMessage> {
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

async function sendOnce({ client, sessionId, text }: OutgoingMessage, key: string): Promise<TakenMessage> {
  const abort = new AbortController();
  const request = { message: text, sessionId };
  const options = { signal: abort.signal, idempotencyKey: key };
  for await (const { data } of client.stream('/api/chat/stream', request, options)) {
    const event = chatEventSchema.parse(JSON.parse(data));
    if (event.type === 'connected') return { sessionId: event.sessionId };
    if (event.type === 'error') throw new AgentError('channel_closed', event.message);
  }
  throw new AgentError('channel_closed', 'The server did not take the message.');
}
