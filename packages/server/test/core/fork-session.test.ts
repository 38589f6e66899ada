import { calls, hasRedisServer, RedisServer, says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { eventsUntil, ofType, type ServedCore, serveCore } from '../served-core.js';

const idle = ofType('session.status_idle');

/** Two turns; returns the request id of the second message. */
async function talk({ sessions }: Pick<ServedCore, 'sessions'>): Promise<{ id: string; second: string }> {
  const { id } = await sessions.create({ hasIncrements: true, metadata: { title: 'Talk' } });
  const { startSeq } = await sessions.send(id, { content: 'the first secret is apple' });
  await eventsUntil(sessions, id, idle, startSeq);
  const { requestId: second, startSeq: next } = await sessions.send(id, { content: 'the second secret is pear' });
  await eventsUntil(sessions, id, idle, next);
  return { id, second };
}

async function textsOf({ sessions }: Pick<ServedCore, 'sessions'>, id: string): Promise<string> {
  const { events } = await sessions.log.read(id);
  return events.map(({ data }) => data).join('\n');
}

const replies = [
  calls({ name: 'list_directory', input: { path: '.' } }),
  says('Noted apple.'),
  says('Noted pear.'),
  says('In the copy.'),
  says('In the source.'),
];

test('a copy ends before the chosen message; both sessions continue on their own', async () => {
  await using served = await serveCore({ replies });
  const { sessions, model } = served;
  const source = await talk(served);
  const copy = await sessions.fork(source.id, { requestId: source.second });
  expect(copy).toMatchObject({ title: 'Talk (fork)', isResumable: true });
  const copied = await textsOf(served, copy.id);
  expect(copied).toContain('Noted apple.');
  expect(copied).not.toMatch(/pear|content_block_delta/);
  expect(copied).not.toContain(source.id.replaceAll('-', ''));
  for (const [id, words] of [
    [copy.id, 'In the copy.'],
    [source.id, 'In the source.'],
  ] as const) {
    const { startSeq } = await sessions.send(id, { content: 'which secrets do you know?' });
    await eventsUntil(sessions, id, idle, startSeq);
    expect(await textsOf(served, id)).toContain(words);
  }
  const [ofCopy, ofSource] = model.requests.slice(-2).map((request) => JSON.stringify(request));
  expect(ofCopy).toContain('apple');
  expect(ofCopy).not.toContain('pear');
  expect(ofSource).toContain('pear');
  expect(await textsOf(served, copy.id)).not.toContain('In the source.');
  const { sessions: all } = await sessions.list({ limit: 10 });
  await expect(sessions.fork(source.id, { requestId: 'req_0_none' })).rejects.toMatchObject({ code: 'turn_not_found' });
  expect((await sessions.list({ limit: 10 })).sessions).toHaveLength(all.length);
});

test.runIf(hasRedisServer)('a front end copies the whole conversation of a worker', async () => {
  await using redis = await RedisServer.start();
  await using front = await serveCore({ place: redis.url, role: 'front', replies: [] });
  await using worker = await serveCore({ place: redis.url, role: 'worker', replies });
  const source = await talk(front);
  const copy = await front.sessions.fork(source.id, {});
  await front.sessions.delete(source.id);
  const { startSeq } = await front.sessions.send(copy.id, { content: 'which secrets do you know?' });
  await eventsUntil(front.sessions, copy.id, idle, startSeq);
  expect(JSON.stringify(worker.model.requests.at(-1))).toMatch(/apple.*pear/);
});
