import { expect, test } from 'vitest';
import { createServer } from '../src/app/create-server.js';

test('a share link reads one session, and opens nothing else', async () => {
  await using server = await createServer({ store: 'memory:', token: 'a-token-of-at-least-16-characters' });
  const { url } = await server.listen({ port: 0 });
  const post = async (path: string, body: object, token?: string) => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const headers = { 'content-type': 'application/json', ...authorization };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: response.status, body: response };
  };
  const { sessions } = server.core;
  const [{ id: sessionId }, { id: other }] = await Promise.all([
    sessions.create({ hasIncrements: true }),
    sessions.create({ hasIncrements: true, isShared: true }),
  ]);
  const created = await post('/api/session/links/create', { sessionId, lifetimeHours: 1 });
  const { id, ticket } = Object(await created.body.json());
  const status = async (path: string, body: object) => (await post(path, body, ticket)).status;

  expect(await status('/api/session/get', { sessionId })).toBe(200);
  expect(await status('/api/chat/events', { sessionId })).toBe(200);
  const whoami = await post('/api/whoami', {}, ticket);
  expect(await whoami.body.json()).toEqual({ name: `link:${id}`, scopes: ['read'], sessionId });
  // Other sessions, also shared ones, do not exist for it.
  expect(await status('/api/session/get', { sessionId: other })).toBe(404);
  expect(await status('/api/chat/events', { sessionId: other })).toBe(404);
  for (const path of [
    '/api/files/read',
    '/api/files/list',
    '/api/hints',
    '/api/sessions/list',
    '/api/session/links/list',
    '/api/session/list-directories',
    '/api/chat/history',
    '/api/chat/stream',
    '/api/chat/approve',
    '/api/v1/cloud/sessions',
    '/openapi.json',
  ]) {
    expect([path, await status(path, { sessionId, path: 'README.md' })]).toEqual([path, 401]);
  }
  // Claims of a link that exists, with the signature of another.
  await sessions.configure(other, { shareLinks: (await sessions.get(sessionId)).shareLinks });
  const [, signature] = ticket.split('.');
  const forged = Buffer.from(JSON.stringify([other, id])).toString('base64url');
  expect((await post('/api/session/get', { sessionId: other }, `share_${forged}.${signature}`)).status).toBe(401);

  const stream = await post('/api/chat/follow', { sessionId }, ticket);
  expect(stream.status).toBe(200);
  expect((await post('/api/session/links/revoke', { sessionId, linkId: id })).status).toBe(200);
  expect(await status('/api/session/get', { sessionId })).toBe(401);
  await expect(stream.body.text()).rejects.toThrow('terminated');
});

test('an expired link is refused', async () => {
  await using server = await createServer({ store: 'memory:', token: 'a-token-of-at-least-16-characters' });
  const { url } = await server.listen({ port: 0 });
  const { id: sessionId } = await server.core.sessions.create({ hasIncrements: true });
  const post = (path: string, body: object, token: string) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
  const created = await post('/api/session/links/create', { sessionId }, 'a-token-of-at-least-16-characters');
  const { ticket } = Object(await created.json());
  const { shareLinks = [] } = await server.core.sessions.get(sessionId);
  const expired = shareLinks.map((link) => ({ ...link, expiresAt: Date.now() - 1 }));
  await server.core.sessions.configure(sessionId, { shareLinks: expired });
  expect((await post('/api/session/get', { sessionId }, ticket)).status).toBe(401);
});
