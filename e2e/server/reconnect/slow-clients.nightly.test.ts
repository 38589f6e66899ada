import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openServeFixture } from '../serve-fixture.ts';

const TOKEN = 'pat_of-clients-that-take-their-time';

/** Everything that the server says until it ends the connection. */
async function answerTo(socket: Socket): Promise<string> {
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  // A connection that is reset is ended too.
  socket.on('error', () => undefined);
  await once(socket, 'close');
  return answer;
}

// Takes as long as the server waits for a body.
test('clients that never finish their request are disconnected; streams are not', { timeout: 90_000 }, async () => {
  verifies('F134');
  await using fixture = await openServeFixture({ replies: [says('hello')], flags: ['--token', TOKEN] });
  const { hostname, port, host } = new URL(fixture.url);
  const begin = (...lines: readonly string[]) => {
    const socket = connect(Number(port), hostname);
    socket.write(lines.join('\r\n'));
    return socket;
  };
  const bearer = `Authorization: Bearer ${TOKEN}`;
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const created = await fetch(`${fixture.url}/api/v1/cloud/sessions`, { method: 'POST', headers, body: '{}' });
  const path = `/api/v1/cloud/sessions/${String(Object(await created.json()).id)}/events`;
  const stream = begin(`GET ${path}/stream HTTP/1.1`, `Host: ${host}`, bearer, '', '');
  let streamed = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    streamed += text;
  });

  const slowHead = begin('GET /health HTTP/1.1', `Host: ${host}`, 'X-Slow: ');
  const slowBody = begin(
    `POST ${path} HTTP/1.1`,
    `Host: ${host}`,
    bearer,
    'Content-Type: application/json',
    'Content-Length: 1000',
    '',
    '{"events"',
  );
  // A byte now and then does not help.
  const drip = setInterval(() => {
    slowHead.write('x');
    slowBody.write(' ');
  }, 1000);
  const [head, body] = await Promise.all([answerTo(slowHead), answerTo(slowBody)]);
  clearInterval(drip);
  expect(head).toMatch(/^HTTP\/1\.1 408 /);
  expect(body).toMatch(/^(?:HTTP\/1\.1 408 |$)/);

  // The stream is older than both limits, and still there.
  await fetch(fixture.url + path, {
    method: 'POST',
    headers,
    body: JSON.stringify({ events: [{ type: 'user.message', content: 'hi' }] }),
  });
  while (!streamed.includes('event: session.status_idle')) await once(stream, 'data');
  stream.destroy();
});
