import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';

const keepAlive = new Agent({ keepAlive: true });

/** Milliseconds of a bare model call over a kept connection. */
export async function timeModelCall(baseUrl: string): Promise<number> {
  const startedAt = performance.now();
  const call = request(`${baseUrl}/chat/completions`, { method: 'POST', agent: keepAlive });
  call.end(JSON.stringify({ model: 'bench', stream: true, messages: [{ role: 'user', content: 'Say a word.' }] }));
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  await once(response.resume(), 'end');
  return performance.now() - startedAt;
}
