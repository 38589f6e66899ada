import { AgentError } from '@qwen/protocol';
import { readProblem } from './error-text.js';
import { type HttpRequest, type HttpResponse, type Sending, sendRequest } from './send-request.js';
import { toStatusError } from './status-error.js';

const MAX_ERROR_BODY_BYTES = 64 * 1024;

/**
 * Statuses other than 2xx reject with a typed AgentError. Redirects are not followed, to keep the key and the
 * conversation from another host.
 */
export async function openResponse(request: HttpRequest, sending: Sending): Promise<HttpResponse> {
  const response = await sendRequest(request, sending);
  if (response.status >= 200 && response.status < 300) return response;
  const body = await readBeginning(response.body);
  if (response.status === 407) throw proxyRefused(body);
  throw toStatusError({ status: response.status, header: response.header, body, receivedAt: sending.clock.wallMs() });
}

function proxyRefused(body: string): AgentError {
  const advice = 'Put user and password into the address of the proxy: http://user:password@host:port.';
  const message = `The proxy returned 407: ${readProblem(body).message}. ${advice}`;
  return new AgentError('permission_refused', message, { data: { status: 407, proxy: true } });
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
    // A broken body must not hide the status.
  }
  return text;
}
