import { AgentError } from '@qwen/protocol';
import type { RequestOf, ServerClient } from '../server/server-client.js';
import type { PageClock } from './page-clock.js';

export interface OutgoingMessage {
  readonly client: ServerClient;
  readonly request: RequestOf<'/api/chat/send'>;
  readonly clock: PageClock;
}

const ATTEMPTS = 4;
const PAUSE_MS = 700;

/**
 * Resolves when the server has the message; the log delivers its turn. All attempts have one idempotency key, so that the
 * message is sent once. Errors: those of the client.
 */
export async function sendMessage({ client, request, clock }: OutgoingMessage): Promise<void> {
  const idempotencyKey = crypto.getRandomValues(new Uint32Array(4)).join('-');
  const never = new AbortController().signal;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.post('/api/chat/send', request, { idempotencyKey });
      return;
    } catch (thrown) {
      const isCut = AgentError.is(thrown) && thrown.code === 'channel_closed';
      if (!isCut || attempt === ATTEMPTS) throw thrown;
      await clock.pause(PAUSE_MS * attempt, never);
    }
  }
}
