import type { ModelClock } from '../clock.js';
import { toStatusError } from './status-error.js';

/** How much of an error body we read; what follows is not looked at. */
const MAX_ERROR_BODY_BYTES = 64 * 1024;

/** The part of `fetch` that the client libraries call. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * A `fetch` for the client libraries: an answer outside of 2xx rejects with a typed AgentError, its body read up to a
 * cap. Redirects are not followed: the next host was never meant to see the key and the conversation.
 */
export function createCheckedFetch(clock: ModelClock): Fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' });
    if (response.ok) return response;
    const body = await readBeginning(response);
    throw toStatusError({ status: response.status, headers: response.headers, body, receivedAt: clock.wallMs() });
  };
}

async function readBeginning(response: Response): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  try {
    for await (const chunk of response.body) {
      text += decoder.decode(chunk, { stream: true });
      bytes += chunk.length;
      if (bytes >= MAX_ERROR_BODY_BYTES) break;
    }
  } catch {
    // The status alone says what went wrong; a body that breaks off must not hide it.
  }
  return text;
}
