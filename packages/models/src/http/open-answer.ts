import { type HttpAnswer, type HttpRequest, type Sending, sendRequest } from './send-request.js';
import { toStatusError } from './status-error.js';

/** How much of an error body we read; what follows is not looked at. */
const MAX_ERROR_BODY_BYTES = 64 * 1024;

/**
 * Sends a request and resolves with the head of a successful answer. One outside of 2xx rejects with a typed AgentError,
 * its body read up to a cap. Redirects are not followed: the next host was never meant to see the key and the
 * conversation.
 */
export async function openAnswer(request: HttpRequest, sending: Sending): Promise<HttpAnswer> {
  const answer = await sendRequest(request, sending);
  if (answer.status >= 200 && answer.status < 300) return answer;
  const body = await readBeginning(answer.body);
  throw toStatusError({ status: answer.status, header: answer.header, body, receivedAt: sending.clock.wallMs() });
}

async function readBeginning(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      bytes += chunk.length;
      if (bytes >= MAX_ERROR_BODY_BYTES) break;
    }
  } catch {
    // The status alone says what went wrong; a body that breaks off must not hide it.
  }
  return text;
}
