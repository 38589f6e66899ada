import { rm, writeFile } from 'node:fs/promises';
import {
  calls,
  isolatedEnvironment,
  type ScriptedReply,
  says,
  startScriptedModel,
  type TemporaryFolder,
  temporaryFolder,
} from '@qwen/testkit';
import { EventSource } from 'eventsource';
import { describe, expect, test } from 'vitest';
import { createServer } from '../src/app/create-server.js';
import type { QwenServer } from '../src/app/running-server.js';
import { AccessTokens } from '../src/guard/access-tokens.js';
import { RouteTable } from '../src/http/route-table.js';
import { eventsUntil, ofType } from './served-core.js';

// Users of a whole server over real HTTP, with real agents where a turn runs.

const admin = 'a-token-of-at-least-16-characters';

interface Users extends AsyncDisposable {
  readonly server: QwenServer;
  readonly folder: TemporaryFolder;
  readonly tokens: AccessTokens;
  /** Sends a request; a body makes it a POST. */
  readonly send: (token: string | undefined, path: string, body?: object) => Promise<Response>;
  readonly newToken: (name: string, more?: Partial<Parameters<AccessTokens['create']>[0]>) => Promise<string>;
}

async function openUsers(replies: readonly ScriptedReply[] = []): Promise<Users> {
  const folder = await temporaryFolder();
  const model = await startScriptedModel(replies);
  const tokens = new AccessTokens(folder.resolve('tokens.json'));
  const server = await createServer({
    store: 'memory:',
    token: admin,
    requireAuth: true,
    workspace: folder.path,
    tokensFile: folder.resolve('tokens.json'),
    auditFile: folder.resolve('audit.jsonl'),
    launch: { env: isolatedEnvironment(folder.resolve('home'), model.env) },
  });
  const { url } = await server.listen({ port: 0 });
  return {
    server,
    folder,
    tokens,
    send: (token, path, body) =>
      fetch(url + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    newToken: async (name, more = {}) =>
      (await tokens.create({ name, scopes: ['read', 'write', 'approve'], limits: {}, ...more })).token,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const jsonOf = async (answer: Response): Promise<Record<string, unknown>> => Object(await answer.json());
const idOf = async (answer: Response) => String((await jsonOf(answer))['sessionId']);

test('a session belongs to its creator until it is shared', async () => {
  await using users = await openUsers();
  const { send } = users;
  const [ann, bob] = [await users.newToken('ann'), await users.newToken('bob')];
  const sessionId = await idOf(await send(ann, '/api/session', {}));
  const cloudId = `sess_${sessionId.replaceAll('-', '')}`;
  const { requestId } = await users.server.core.sessions
    .send(sessionId, { content: 'x' })
    .catch(() => ({ requestId: '' }));
  const asked: readonly (readonly [string, object?])[] = [
    ['/api/session/get', { sessionId }],
    ['/api/session/delete', { sessionId }],
    ['/api/session/fork', { sessionId }],
    ['/api/session/share', { sessionId, shared: true }],
    ['/api/session/update', { sessionId, archived: true }],
    ['/api/session/links/create', { sessionId }],
    ['/api/session/links/list', { sessionId }],
    ['/api/session/links/revoke', { sessionId, linkId: 'x' }],
    ['/api/models', { sessionId }],
    ['/api/chat/send', { sessionId, message: 'x' }],
    ['/api/session/update-workspace', { sessionId, workspaceRoot: users.folder.path }],
    ['/api/session/add-directory', { sessionId, directories: ['.'] }],
    ['/api/session/list-directories', { sessionId }],
    ['/api/tasks/list', { sessionId }],
    ['/api/tasks/output', { sessionId, taskId: 'task_1' }],
    ['/api/tasks/stop', { sessionId, taskId: 'task_1' }],
    ['/api/chat/history', { sessionId }],
    ['/api/chat/cancel', { requestId }],
    ['/api/chat/approve', { requestId, callId: 'call_1', behavior: 'allow' }],
    ['/api/chat/events', { sessionId }],
    ['/api/chat/follow', { sessionId }],
    ['/api/hints', { sessionId, trigger: 'at', text: '@', cursor: 1 }],
    ['/api/files/list', { sessionId, path: '.' }],
    ['/api/files/read', { sessionId, path: 'a' }],
    ['/api/files/write', { sessionId, path: 'a', content: 'x' }],
    ['/api/files/search', { sessionId, pattern: 'a' }],
    ['/api/commands/list', { sessionId }],
    ['/api/commands/help', { sessionId }],
    ['/api/commands/execute', { sessionId, command: 'help' }],
    [`/api/v1/cloud/sessions/${cloudId}`],
    [`/api/v1/cloud/sessions/${cloudId}/events`],
    [`/api/v1/cloud/sessions/${cloudId}/events/stream`],
    [`/api/v1/cloud/sessions/${cloudId}/threads`],
    [`/api/v1/cloud/sessions/${cloudId}/stream_tickets`, {}],
    [`/api/v1/cloud/sessions/${cloudId}/events`, { events: [{ type: 'user.interrupt' }] }],
    [`/api/v1/cloud/sessions/${cloudId}/approvals/appr_1`, { behavior: 'allow' }],
  ];
  for (const [path, body] of asked) expect([path, (await send(bob, path, body)).status]).toEqual([path, 404]);
  const listed = async (token: string) => jsonOf(await send(token, '/api/sessions/list', {}));
  expect(await listed(bob)).toEqual({ sessions: [], total: 0 });
  for (const token of [ann, admin])
    expect(await listed(token)).toMatchObject({ total: 1, sessions: [{ id: sessionId }] });
  expect(await jsonOf(await send(bob, '/api/v1/cloud/sessions'))).toMatchObject({ data: [], has_more: false });

  expect((await send(ann, '/api/session/share', { sessionId, shared: true })).status).toBe(200);
  expect(await listed(bob)).toMatchObject({ total: 1 });
  expect((await send(bob, '/api/session/get', { sessionId })).status).toBe(200);
  for (const [path, body] of asked.filter(([each]) => /session\/(?:delete|share|update|links)/.test(each))) {
    expect([path, (await send(bob, path, body)).status]).toEqual([path, 403]);
  }
  expect((await send(admin, '/api/session/delete', { sessionId })).status).toBe(200);
});

test('each route needs its scope, and one that no table names is for administrators', async () => {
  await using users = await openUsers();
  const { send } = users;
  const token = (scope: 'read' | 'write' | 'approve' | 'metrics' | 'admin') =>
    users.newToken(scope, { scopes: [scope] });
  const reader = await token('read');
  const writer = await token('write');
  expect((await send(reader, '/api/sessions/list', {})).status).toBe(200);
  for (const path of [
    '/api/session',
    '/api/chat/stream',
    '/api/files/write',
    '/api/folders',
    '/api/models',
    '/api/session/links/create',
    '/api/chat/approve',
    '/metrics',
    '/new/route',
  ]) {
    expect([path, (await send(reader, path, {})).status]).toEqual([path, 403]);
  }
  expect((await send(writer, '/api/session', {})).status).toBe(200);
  expect((await send(writer, '/api/sessions/list', {})).status).toBe(403);
  expect(
    (await send(await token('approve'), '/api/chat/approve', { requestId: 'r', callId: 'c', behavior: 'deny' })).status,
  ).toBe(404);
  const remote = '/api/v1/remote/00000000-0000-4000-8000-000000000000/received';
  expect((await send(writer, remote, { seq: 0 })).status).toBe(403);
  expect((await send(await token('admin'), remote, { seq: 0 })).status).toBe(404);
  // A token that may not approve cannot make calls run without a question.
  for (const more of [
    { approvalMode: 'yolo' },
    { approvalMode: 'auto-edit' },
    { questionPolicy: 'allow-listed', allowedTools: ['Bash'] },
    { sandbox: 'workspace-write' },
  ]) {
    expect([more, (await send(writer, '/api/session', more)).status]).toEqual([more, 403]);
  }
  const sessionId = await idOf(await send(writer, '/api/session', {}));
  const update = async (approvalMode: string) =>
    (await send(writer, '/api/session/update', { sessionId, approvalMode })).status;
  expect([await update('yolo'), await update('auto-edit'), await update('plan')]).toEqual([403, 403, 200]);
  for (const message of ['/approval-mode yolo', ' /Approval-Mode yolo', '/permissions']) {
    for (const path of ['/api/chat/stream', '/api/chat/send']) {
      expect([message, (await send(writer, path, { sessionId, message })).status]).toEqual([message, 403]);
    }
  }
});

test('tokens come, expire and go without a restart, and their streams end', async () => {
  await using users = await openUsers();
  const { send, tokens } = users;
  expect((await send('qwen_unknown', '/api/sessions/list', {})).status).toBe(401);
  const ann = await users.newToken('ann');
  const sessionId = await idOf(await send(ann, '/api/session', {}));
  const stream = await send(ann, '/api/chat/follow', { sessionId });
  const over = await users.newToken('late', { expiresAt: new Date(Date.now() - 1) });
  expect((await send(over, '/api/sessions/list', {})).status).toBe(401);
  const second = await users.newToken('ann');
  expect(await users.folder.read('tokens.json')).not.toContain(ann);
  const [first] = await tokens.list();
  await tokens.revoke(first?.id ?? '');
  expect((await send(ann, '/api/sessions/list', {})).status).toBe(401);
  expect(await jsonOf(await send(second, '/api/sessions/list', {}))).toMatchObject({ total: 1 });
  await expect(stream.text()).rejects.toThrow('terminated');
  // A file that cannot be trusted admits no one but the administrator.
  for (const text of ['{', '{"tokens":[{}]}']) {
    await writeFile(users.folder.resolve('tokens.json'), text);
    expect([text, (await send(second, '/api/sessions/list', {})).status]).toEqual([text, 500]);
    expect((await send(admin, '/api/sessions/list', {})).status).toBe(200);
  }
  await rm(users.folder.resolve('tokens.json'));
  await writeFile(users.folder.resolve('tokens.json'), '{"tokens":[]}', { mode: 0o644 });
  expect((await send(second, '/api/sessions/list', {})).status).toBe(500);
});

test('a wrong token is refused where none is needed', async () => {
  await using server = await createServer({ store: 'memory:', token: admin });
  const { url } = await server.listen({ port: 0 });
  const list = (headers: Record<string, string>) =>
    fetch(`${url}/api/sessions/list`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{}',
    });
  expect((await list({})).status).toBe(200);
  expect((await list({ authorization: 'Bearer wrong' })).status).toBe(401);
  expect((await list({ authorization: `Bearer ${admin}` })).status).toBe(200);
});

test('requests, turns, tokens and money have limits', async () => {
  await using users = await openUsers([says('done'), says('done')]);
  const { send } = users;
  const slow = await users.newToken('slow', { limits: { requests_per_minute: 2 } });
  const answers = [];
  for (const _ of [1, 2, 3]) answers.push(await send(slow, '/api/sessions/list', {}));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(answers[0]?.headers.get('ratelimit')).toMatch(/^"requests";r=1;t=\d+$/);
  expect(answers[2]?.headers.get('ratelimit-policy')).toBe('"requests";q=2;w=60');
  expect(Number(answers[2]?.headers.get('retry-after'))).toBeGreaterThan(0);

  const poor = await users.newToken('poor', { limits: { tokens_per_day: 1 } });
  const { server } = users;
  const sessionId = await idOf(await send(poor, '/api/session', {}));
  expect((await send(poor, '/api/chat/stream', { sessionId, message: 'one' })).status).toBe(200);
  await eventsUntil(server.core.sessions, sessionId, ofType('session.status_idle'));
  const refused = await send(poor, '/api/chat/stream', { sessionId, message: 'two' });
  expect([refused.status, await refused.json()]).toEqual([429, expect.objectContaining({ code: 'quota_exceeded' })]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});

describe('permission questions', () => {
  const call = calls({ name: 'run_shell_command', input: { command: 'touch ran.txt' } });

  test('each answer is in the audit log before the call runs', async () => {
    await using users = await openUsers([call, says('done')]);
    const ann = await users.newToken('ann');
    const { sessions } = users.server.core;
    const sessionId = await idOf(await users.send(ann, '/api/session', {}));
    await sessions.send(sessionId, { content: 'run' });
    const asked = (await eventsUntil(sessions, sessionId, ofType('approval.requested'))).at(-1);
    if (asked?.type !== 'approval.requested') throw new Error('not asked');
    const path = `/api/v1/cloud/sessions/sess_${sessionId.replaceAll('-', '')}/approvals/${asked.approval_id}`;
    expect((await users.send(ann, path, { behavior: 'allow' })).status).toBe(200);
    await eventsUntil(sessions, sessionId, ofType('session.status_idle'));
    expect(JSON.parse(await users.folder.read('audit.jsonl'))).toMatchObject({
      actor: 'ann',
      behavior: 'allow',
      session_id: sessionId,
      tool: 'run_shell_command',
      input: { command: 'touch ran.txt' },
    });
    expect(await users.folder.read('ran.txt')).toBe('');
  });

  test('a client that answers none chooses a policy', async () => {
    await using users = await openUsers([call, says('denied'), call, says('allowed')]);
    const { send } = users;
    const run = async (more: object) => {
      const answer = await send(admin, '/api/chat/stream', { message: 'run', ...more });
      return answer.text();
    };
    expect(await run({ questionPolicy: 'deny' })).toMatch(/"by":"policy"[^]*"stream_end"/);
    await expect(users.folder.read('ran.txt')).rejects.toThrow('ENOENT');
    const listed = await run({ questionPolicy: 'allow-listed', allowedTools: ['Bash(touch ran.txt)'] });
    expect(listed).toContain('"stream_end"');
    expect(await users.folder.read('ran.txt')).toBe('');
    expect((await send(admin, '/api/session', { allowedTools: ['Bash'] })).status).toBe(400);
  });
});

test('a ticket opens the streams of one session for a client without headers', async () => {
  await using users = await openUsers();
  const { send, server } = users;
  const ann = await users.newToken('ann');
  const [id, other] = [
    await idOf(await send(ann, '/api/session', {})),
    await idOf(await send(ann, '/api/session', {})),
  ];
  const cloud = (session: string, rest: string) => `/api/v1/cloud/sessions/sess_${session.replaceAll('-', '')}${rest}`;
  const { ticket } = await jsonOf(await send(ann, cloud(id, '/stream_tickets'), {}));
  const query = `?ticket=${String(ticket)}`;
  const { url } = await server.listen({ port: 0 });
  const source = new EventSource(`${url}${cloud(id, '/events/stream')}${query}`);
  await new Promise((resolve) => source.addEventListener('open', resolve));
  const seen = new Promise<string>((resolve) =>
    source.addEventListener('user.interrupt', ({ data }) => resolve(String(data))),
  );
  await server.core.sessions.interrupt(id);
  expect(JSON.parse(await seen)).toMatchObject({ type: 'user.interrupt' });
  for (const path of [cloud(other, `/events/stream${query}`), cloud(id, `/events/stream${query}x`)]) {
    expect([404, 401]).toContain((await send(undefined, path)).status);
  }
  expect((await send(undefined, cloud(id, `/events${query}`))).status).toBe(401);
  const ended = new Promise((resolve) => source.addEventListener('error', resolve));
  await users.tokens.revoke('ann');
  // Another token of the same name does not prolong the ticket.
  await users.newToken('ann');
  expect((await send(undefined, cloud(id, `/events/stream${query}`))).status).toBe(401);
  await ended;
  source.close();
});

test('a route without a scope is found by no one but administrators', () => {
  const routes = new RouteTable([{ method: 'GET', path: '/a/:id', scope: 'read' }]);
  expect(routes.find('GET', '/a/1')?.scope).toBe('read');
  expect(routes.find('HEAD', '/a/1')?.scope).toBe('read');
  expect(routes.find('DELETE', '/a/1')?.scope).toBe('read');
  expect(routes.find('GET', '/a/1/more')).toBeUndefined();
});
