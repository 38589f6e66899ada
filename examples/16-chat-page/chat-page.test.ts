import { request } from 'node:http';
import { calls, says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { readEvents } from './page/read-events.js';
import { openChatStage } from './stage.ts';

const json = { 'content-type': 'application/json' };

test('a turn, as the page plays it: an answer, a question, its approval', async () => {
  const write = calls({ name: 'write_file', input: { file_path: 'a.txt', content: 'x' } });
  await using stage = await openChatStage([write, says('Written.')]);
  const response = await fetch(`${stage.url}api/chat/stream`, {
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
    expect((await fetch(`${stage.url}api/chat/approve`, { method: 'POST', headers: json, body })).status).toBe(200);
  }
  expect(answer).toBe('Written.');
  expect(await stage.workspace.read('a.txt')).toBe('x');
});

/** Status of a request that says where it comes from in whatever words; `fetch` would not let us. */
function statusOf(url: string, headers: Readonly<Record<string, string>>, method = 'GET'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.on('error', reject).end(method === 'POST' ? '{}' : undefined);
  });
}

test('other sites get nothing, and the page no more than its routes', async () => {
  await using stage = await openChatStage([]);
  expect(await statusOf(stage.url, {})).toBe(200);
  expect(await statusOf(stage.url, { host: 'elsewhere.example' })).toBe(403);
  const stream = `${stage.url}api/chat/stream`;
  expect(await statusOf(stream, { ...json, origin: 'http://elsewhere.example' }, 'POST')).toBe(403);
  expect(await statusOf(`${stage.url}api/files/read`, json, 'POST')).toBe(404);
  expect(await statusOf(`${stage.url}../chat-server.ts`, {})).toBe(404);
});
