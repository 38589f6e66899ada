import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { bytesInUse } from '../../test/bytes-in-use.js';
import { createServer } from '../app/create-server.js';

const token = 'a-token-of-at-least-16-characters';

test('500 idle sessions start no process, use little memory, and exist after a restart', {
  timeout: 60_000,
}, async () => {
  verifies('F150');
  await using folder = await temporaryFolder();
  const options = { store: folder.resolve('state'), token, workspace: folder.path };
  const ids = new Set<string>();
  {
    await using server = await createServer(options);
    const { url } = await server.listen({ port: 0 });
    const create = async () => {
      const answer = await fetch(`${url}/api/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
      ids.add(String(Object(await answer.json()).sessionId));
    };
    await create();
    const before = bytesInUse();
    for (let index = 1; index < 500; index += 1) await create();
    expect(server.core.liveAgents()).toBe(0);
    expect(bytesInUse() - before).toBeLessThan(500 * 20_000);
  }
  await using again = await createServer(options);
  const { sessions } = await again.core.sessions.list({ limit: 1000 });
  expect(await again.core.sessions.count()).toBe(500);
  expect(new Set(sessions.map(({ id }) => id))).toEqual(ids);
  expect(again.core.liveAgents()).toBe(0);
});
