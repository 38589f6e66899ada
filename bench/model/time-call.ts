import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';

const keepAlive = new Agent({ keepAlive: true });

/** Milliseconds of one model call with nothing around it: request out, whole answer in, connection kept. */
export async function timeModelCall(baseUrl: string): Promise<number> {
  const startedAt = performance.now();
  const call = request(`${baseUrl}/chat/completions`, { method: 'POST', agent: keepAlive });
  call.end(JSON.stringify({ model: 'bench', stream: true, messages: [{ role: 'user', content: 'Say a word.' }] }));
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  await once(response.resume(), 'end');
  return performance.now() - startedAt;
}
