import { expect, test } from 'vitest';
import { createServer } from '../../src/app/create-server.js';
import { ServerClient } from '../../web/src/server/server-client.js';
import { listSessions } from '../../web/src/session/list-sessions.js';

test('lists the requested number, newest first, of any number', { timeout: 60_000 }, async () => {
  await using server = await createServer({ store: 'memory:', token: 'a-token-of-at-least-16-characters' });
  const { url } = await server.listen({ port: 0 });
  const client = new ServerClient(new URL(`${url}/`), { token: undefined });
  expect(await listSessions(client, 200)).toEqual({ sessions: [], total: 0 });
  const made: string[] = [];
  for (let index = 0; index < 1100; index += 1) {
    made.unshift((await server.core.sessions.create({ hasIncrements: true })).id);
  }
  for (const [most, count] of [
    [200, 200],
    [1050, 1050],
    [2000, 1100],
  ] as const) {
    const { sessions, total } = await listSessions(client, most);
    expect(total).toBe(1100);
    expect(sessions.map(({ id }) => id)).toEqual(made.slice(0, count));
  }
});
