import { request } from 'node:http';
import { calls, says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openChatPage } from './fixture.ts';
import { readEvents } from './page/read-events.js';

const json = { 'content-type': 'application/json' };

test('streams an answer and a question, and sends the approval', async () => {
  const write = calls({ name: 'write_file', input: { file_path: 'a.txt', content: 'x' } });
  await using fixture = await openChatPage([write, says('Written.')]);
  const response = await fetch(`${fixture.url}api/chat/stream`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ message: 'write' }),
  });
  let requestId: unknown;
  let answer = '';
  for await (const event of readEvents(response.body)) {
    if (event.type === 'connected') requestId = event.requestId;
    if (event.type === 'Content') answer += event.value;
    if (event.type !== 'ToolCallConfirmation') continue;
    const body = JSON.stringify({ requestId, callId: event.value.callId, behavior: 'allow' });
    expect((await fetch(`${fixture.url}api/chat/approve`, { method: 'POST', headers: json, body })).status).toBe(200);
  }
  expect(answer).toBe('Written.');
  expect(await fixture.workspace.read('a.txt')).toBe('x');
});

/** The status of a request with any Host and Origin, which `fetch` does not allow to set. */
function statusOf(url: string, headers: Readonly<Record<string, string>>, method = 'GET'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.on('error', reject).end(method === 'POST' ? '{}' : undefined);
  });
}

test('refuses other sites and other routes', async () => {
  await using fixture = await openChatPage([]);
  expect(await statusOf(fixture.url, {})).toBe(200);
  expect(await statusOf(fixture.url, { host: 'elsewhere.example' })).toBe(403);
  const stream = `${fixture.url}api/chat/stream`;
  expect(await statusOf(stream, { ...json, origin: 'http://elsewhere.example' }, 'POST')).toBe(403);
  expect(await statusOf(`${fixture.url}api/files/read`, json, 'POST')).toBe(404);
  expect(await statusOf(`${fixture.url}../chat-server.ts`, {})).toBe(404);
});
