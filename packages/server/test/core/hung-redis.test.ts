import { hasRedisServer, RedisServer, says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { createServer } from '../../src/index.js';
import { eventsUntil, ofType, serveCore } from '../served-core.js';

const NOTICED_MS = 5000;

test.runIf(hasRedisServer)('a Redis that hangs is noticed, and everything continues once it answers', async () => {
  await using redis = await RedisServer.start();
  await using worker = await serveCore({ place: redis.url, role: 'worker', replies: [says('one'), says('two')] });
  await using server = await createServer({
    store: redis.url,
    role: 'front',
    token: 'secret',
    workspace: worker.folder.path,
  });
  const { sessions } = server.core;
  const { url } = await server.listen({ port: 0 });
  const ready = () => fetch(`${url}/ready`, { signal: AbortSignal.timeout(NOTICED_MS) }).then(({ status }) => status);
  const session = await sessions.create({ hasIncrements: false });
  await sessions.send(session.id, { content: 'first' });
  const first = await eventsUntil(sessions, session.id, ofType('session.status_idle'));
  expect(await ready()).toBe(200);

  redis.signal('SIGSTOP');
  const [status, asked] = await Promise.allSettled([ready(), sessions.get(session.id)]);
  expect(status).toEqual({ status: 'fulfilled', value: 503 });
  expect(asked).toMatchObject({ status: 'rejected', reason: { code: 'storage_unreachable' } });
  redis.signal('SIGCONT');

  await expect.poll(ready, { timeout: 10_000 }).toBe(200);
  await sessions.send(session.id, { content: 'second' });
  const second = await eventsUntil(sessions, session.id, ofType('session.status_idle'), first.at(-1)?.seq);
  expect(second.at(-2)).toMatchObject({ outcome: 'success', result: 'two' });
});
