import { randomUUID } from 'node:crypto';
import { REMOTE_PATH } from '@qwen/protocol/server';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openRemoteFixture } from '../../test/remote-fixture.js';

/** A client in the words of the wire, for one remote query. */
function wire(url: string, id: string = randomUUID()) {
  const base = `${url}${REMOTE_PATH}/${id}`;
  const say = async (method: string, path: string, body: unknown, type = 'application/json') => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { 'content-type': type },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  };
  /** The answer as it comes; the caller aborts it. */
  const listen = (lastEventId: string, signal?: AbortSignal) =>
    fetch(`${base}/lines`, { headers: { 'last-event-id': lastEventId }, signal: signal ?? null });
  return { start: () => say('PUT', '', { arguments: [] }), say, listen };
}

/** Reads a stream until it holds a text, or to its end. */
async function readUntil(response: Response, text: string): Promise<string> {
  let seen = '';
  for await (const chunk of response.body ?? []) {
    seen += Buffer.from(chunk).toString('utf8');
    if (seen.includes(text)) break;
  }
  return seen;
}

test('lines are accepted once, in order, and a gap is refused', async () => {
  verifies('F129', 'F18');
  await using fixture = await openRemoteFixture();
  const { start, say, listen } = wire(fixture.url);
  expect((await start()).status).toBe(200);
  expect((await start()).status).toBe(200);
  expect(fixture.registry.count).toBe(1);
  const both = { first: 1, lines: ['a', 'b'] };
  const answers = await Promise.all([say('POST', '/lines', both), say('POST', '/lines', both)]);
  expect(answers.map(({ body }) => body)).toEqual([{ taken: 2 }, { taken: 2 }]);
  expect(await say('POST', '/lines', { first: 2, lines: ['b', 'c'] })).toMatchObject({ body: { taken: 3 } });
  const hole = await say('POST', '/lines', { first: 5, lines: ['e'] });
  expect(hole).toMatchObject({ status: 400, body: { error: { code: 'invalid_cursor' } } });
  await say('POST', '/lines', { first: 4, lines: [], end: true });
  const stream = await readUntil(await listen('0'), 'event: exit');
  expect([...stream.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, type, data]) => [type, data])).toEqual([
    ['line', 'a'],
    ['line', 'b'],
    ['line', 'c'],
    ['exit', '{"exit_code":0,"signal":null,"stderr_tail":""}'],
  ]);
  expect(await say('POST', '/received', { seq: 4 })).toMatchObject({ status: 204 });
  expect((await say('POST', '/received', { seq: 4 })).body).toMatchObject({ error: { code: 'session_not_found' } });
});

test('an invalid request is an error that describes the problem', async () => {
  verifies('F121', 'S58', 'S76');
  await using fixture = await openRemoteFixture();
  const { start, say, listen } = wire(fixture.url);
  await start();
  const codeOf = async (answer: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await answer;
    return `${status} ${(body as { error: { code: string } }).error.code}`;
  };
  expect(await codeOf(say('POST', '/lines', 'no'))).toBe('400 invalid_json');
  expect(await codeOf(say('POST', '/lines', '{}', 'text/plain'))).toBe('415 unsupported_media_type');
  for (const body of [
    {},
    { first: 0, lines: [] },
    { first: 1, lines: ['a\nb'] },
    { first: 1, lines: [1] },
    { first: 1, lines: [], more: 1 },
  ]) {
    expect(await codeOf(say('POST', '/lines', body))).toBe('400 invalid_payload');
  }
  expect(await codeOf(say('POST', '/received', { seq: 7 }))).toBe('400 invalid_cursor');
  expect(await codeOf(say('DELETE', '?grace_ms=-1', {}))).toBe('400 invalid_payload');
  for (const id of ['7', '-1', 'x', '1e9']) expect((await listen(id)).status).toBe(400);
  for (const id of [randomUUID(), 'a', '__proto__']) {
    expect(await codeOf(wire(fixture.url, id).say('POST', '/lines', { first: 1, lines: [] }))).toBe(
      '404 session_not_found',
    );
  }
  await say('DELETE', '?grace_ms=0', {});
});

test('a returning client replaces the lost connection', async () => {
  verifies('F123');
  await using fixture = await openRemoteFixture();
  const { start, say, listen } = wire(fixture.url);
  await start();
  const lost = await listen('0');
  const back = await listen('0');
  await say('POST', '/lines', { first: 1, lines: ['hello'] });
  expect(await readUntil(back, 'hello')).toContain('hello');
  expect(await readUntil(lost, 'never')).not.toContain('hello');
  await say('DELETE', '?grace_ms=0', {});
});
