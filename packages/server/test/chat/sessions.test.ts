import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { says, temporaryFolder, verifies } from '@qwen/testkit';
import { afterEach, expect, test, vi } from 'vitest';
import { contentOf, openChatFixture } from '../chat-fixture.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

const NO_SESSION = '550e8400-e29b-41d4-a716-446655440000';
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test('a session is created, returned, listed and deleted', async () => {
  verifies(
    'Q-20',
    'Q-21',
    'Q-23',
    'Q-24',
    'Q-25',
    'Q-26',
    'Q-27',
    'Q-28',
    'Q-30',
    'Q-49',
    'Q-06',
    'Q-13',
    'CF-17',
    'CF-56',
  );
  await using fixture = await openChatFixture({ replies: [says('hi')] });
  const made = await fixture.ask('/api/session', {
    workspaceRoot: fixture.workspace,
    model: 'qwen3-coder-plus-2025-09-23',
    metadata: { description: '说明', nested: { list: [1, { deep: null }] } },
  });
  expect(made).toEqual({
    sessionId: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4/),
    createdAt: expect.stringMatching(ISO),
  });
  const { sessionId } = made;
  const session = await fixture.ask('/api/session/get', { sessionId });
  expect(session).toEqual({
    id: sessionId,
    userId: 'local-user',
    createdAt: made['createdAt'],
    lastActivity: expect.stringMatching(ISO),
    duration: 0,
    messageCount: 0,
    workspaceRoot: realpathSync(fixture.workspace),
    model: 'qwen3-coder-plus-2025-09-23',
    approvalMode: expect.any(String),
    activity: 'idle',
    archived: false,
    metadata: { description: '说明', nested: { list: [1, { deep: null }] } },
  });
  const plain = await fixture.ask('/api/session', { workspaceRoot: fixture.workspace });
  expect(await fixture.ask('/api/sessions/list', {})).toMatchObject({
    sessions: [
      { id: plain['sessionId'], createdAt: plain['createdAt'], lastActivity: plain['createdAt'], metadata: {} },
      {
        id: sessionId,
        createdAt: made['createdAt'],
        lastActivity: session['lastActivity'],
        metadata: session['metadata'],
      },
    ],
    total: 2,
  });
  expect(await fixture.ask('/api/sessions/list', { limit: 1, afterId: plain['sessionId'] })).toMatchObject({
    sessions: [{ id: sessionId }],
    total: 2,
  });

  await fixture.chat({ sessionId: plain['sessionId'], message: 'hi' });
  const after = await fixture.ask('/api/session/get', { sessionId: plain['sessionId'] });
  const between = Date.parse(String(after['lastActivity'])) - Date.parse(String(after['createdAt']));
  expect(after).toMatchObject({ duration: between, messageCount: 2, metadata: {} });
  expect(between).toBeGreaterThan(0);

  expect(await fixture.ask('/api/session/delete', { sessionId })).toEqual({ success: true });
  expect((await fixture.post('/api/session/get', { sessionId })).status).toBe(404);
  expect(await fixture.ask('/api/sessions/list', {})).toMatchObject({ total: 1 });
});

test('a session uses its own model', async () => {
  verifies('Q-20', 'Q-22');
  await using fixture = await openChatFixture({ replies: [says('hi')] });
  const sessionId = await fixture.newSession({ model: 'qwen3-coder-plus-2025-09-23' });
  await fixture.chat({ sessionId, message: 'hi' });
  expect(fixture.served.model.requests[0]?.model).toBe('qwen3-coder-plus-2025-09-23');
});

test('an unknown session is a 404 with the text of its route', async () => {
  verifies('Q-29', 'Q-31', 'Q-35', 'Q-41', 'Q-48', 'Q-08', 'Q-11', 'CF-60', 'S74');
  await using fixture = await openChatFixture({ replies: [says('never')] });
  const sessionId = NO_SESSION;
  const wanted = [
    ['/api/session/get', {}, { error: 'Session not found' }],
    ['/api/session/delete', {}, { error: 'Session not found' }],
    ['/api/session/update-workspace', { workspaceRoot: '/tmp' }, { error: 'Session not found or update failed' }],
    [
      '/api/session/add-directory',
      { directories: ['/tmp'] },
      { success: false, added: [], errors: ['Session not found'], error: 'Session not found' },
    ],
    ['/api/session/list-directories', {}, { error: 'Session not found' }],
    ['/api/chat/history', {}, { error: 'Session not found' }],
    ['/api/files/read', { path: 'a' }, { error: 'Session not found' }],
    ['/api/files/write', { path: 'a', content: '' }, { error: 'Session not found' }],
    ['/api/files/search', { pattern: 'a' }, { error: 'Session not found' }],
    ['/api/files/list', { path: '.' }, { error: 'Session not found' }],
    ['/api/commands/list', {}, { success: false, error: 'Session not found' }],
    ['/api/commands/execute', { command: 'a' }, { success: false, error: 'Session not found' }],
    ['/api/commands/help', {}, { success: false, error: 'Session not found' }],
  ] as const;
  for (const [path, more, body] of wanted) {
    const response = await fixture.post(path, { sessionId, ...more });
    expect({ path, status: response.status, body: await response.json() }).toEqual({
      path,
      status: 404,
      body: { ...body, message: expect.any(String), code: 'session_not_found' },
    });
  }
});

test('a session moves to another folder and keeps its history', async () => {
  verifies('Q-32', 'Q-33', 'Q-34', 'Q-35');
  await using other = await temporaryFolder();
  await using fixture = await openChatFixture({ replies: [says('one'), says('two')] });
  await other.write('here.txt', 'new place');
  const sessionId = await fixture.newSession();
  await fixture.chat({ sessionId, message: 'first' });
  const workspaceRoot = realpathSync(other.path);
  expect(await fixture.ask('/api/session/update-workspace', { sessionId, workspaceRoot })).toEqual({
    success: true,
    sessionId,
    workspaceRoot,
  });
  expect(await fixture.ask('/api/chat/history', { sessionId })).toMatchObject({ total: 2 });
  expect(await fixture.ask('/api/files/read', { sessionId, path: 'here.txt' })).toMatchObject({ content: 'new place' });
  const events = await fixture.chat({ sessionId, message: 'second @here.txt' });
  expect(contentOf(events)).toBe('two');
  const asked = JSON.stringify(fixture.served.model.requests[1]?.messages);
  expect(asked).toContain('first');
  expect(asked).toContain('new place');

  const failed = await fixture.post('/api/session/update-workspace', { sessionId, workspaceRoot: '/not/there' });
  expect(failed.status).toBe(404);
  expect(await failed.json()).toMatchObject({ error: 'Session not found or update failed' });
  expect(await fixture.ask('/api/session/list-directories', { sessionId })).toEqual({ directories: [workspaceRoot] });
});

test('folders are added in all forms of a path, and the model may use them', async () => {
  verifies('Q-36', 'Q-37', 'Q-38', 'Q-39', 'Q-40', 'Q-42', 'Q-43', 'Q-45', 'Q-46', 'Q-47', 'GAP-65');
  await using extra = await temporaryFolder();
  await using fixture = await openChatFixture({ replies: [says('Seen.')] });
  await extra.write('far.txt', 'far away');
  const absolute = realpathSync(extra.path);
  mkdirSync(`${fixture.workspace}/local/sub`, { recursive: true });
  const sessionId = await fixture.newSession({ workspaceRoot: `${fixture.workspace}/local` });
  await fixture.served.folder.write('parent/x.txt', '');
  const directories = [absolute, './sub', '../parent', '/not/there', `${absolute}/far.txt`, absolute];
  expect(await fixture.ask('/api/session/add-directory', { sessionId, directories })).toEqual({
    success: true,
    added: [absolute, './sub', '../parent', absolute],
    errors: [
      "Error adding '/not/there': Directory not found",
      `Error adding '${absolute}/far.txt': Directory not found`,
    ],
  });
  expect(await fixture.ask('/api/session/list-directories', { sessionId })).toEqual({
    directories: [
      `${fixture.workspace}/local`,
      absolute,
      `${fixture.workspace}/local/sub`,
      `${fixture.workspace}/parent`,
    ],
  });
  expect(await fixture.ask('/api/files/read', { sessionId, path: `${absolute}/far.txt` })).toMatchObject({
    content: 'far away',
  });
  await fixture.chat({ sessionId, message: `see @${absolute}/far.txt` });
  const asked = JSON.stringify(fixture.served.model.requests[0]?.messages);
  expect(asked).toContain('far away');
  expect(asked).toContain(`${fixture.workspace}/parent`);
});

test('~ and %userprofile% are the home folder, which cannot be a workspace', async () => {
  verifies('Q-44', 'Q-45', 'S42');
  await using home = await temporaryFolder();
  await using fixture = await openChatFixture({ replies: [says('ok')] });
  vi.stubEnv('HOME', home.path);
  mkdirSync(home.resolve('one/sub'), { recursive: true });
  const sessionId = await fixture.newSession();
  symlinkSync('/', `${fixture.workspace}/root-link`);
  const directories = [
    '~/one',
    String.raw`%UserProfile%\one\sub`,
    '~',
    '/',
    '/etc',
    '/usr/lib',
    'root-link',
    '~nobody/x',
  ];
  const refused = (path: string, what: string) =>
    `Error adding '${path}': It is ${what}, which cannot be added to the workspace`;
  expect(await fixture.ask('/api/session/add-directory', { sessionId, directories })).toEqual({
    success: true,
    added: directories.slice(0, 2),
    errors: [
      refused('~', 'the home folder'),
      refused('/', 'the root of a file system'),
      refused('/etc', 'a system folder'),
      refused('/usr/lib', 'a system folder'),
      refused('root-link', 'the root of a file system'),
      "Error adding '~nobody/x': Directory not found",
    ],
  });
  expect(await fixture.ask('/api/session/list-directories', { sessionId })).toEqual({
    directories: [fixture.workspace, home.resolve('one'), home.resolve('one/sub')],
  });
  // The session is as usable as before.
  expect(contentOf(await fixture.chat({ sessionId, message: 'hi' }))).toBe('ok');
});

test('invalid requests are refused', async () => {
  verifies('Q-10', 'S76', 'S71', 'GAP-62', 'F133');
  await using fixture = await openChatFixture({ replies: [says('never')] });
  const deep = `{"metadata":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`;
  const many = `{"metadata":{${Array.from({ length: 200_000 }, (_, index) => `"k${index}":1`).join(',')}}}`;
  for (const [body, message] of [
    ['{"workspaceRoot":', 'The request body is not valid JSON.'],
    ['', 'The request body is not valid JSON.'],
    ['[]', 'body: expected object'],
    ['null', 'body: expected object'],
    [deep, 'body: nested more than 100 levels deep'],
    [{ workspaceRoot: 7 }, 'body.workspaceRoot: expected string'],
    [{ metadata: 'text' }, 'body.metadata: expected record'],
    [{ approvalMode: 'all' }, 'body.approvalMode: expected "default" or "plan" or "auto-edit" or "yolo"'],
  ] as const) {
    const response = await fixture.post('/api/session', body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'Invalid request', message });
  }
  expect((await fixture.post('/api/session', many)).status).toBe(200);
  for (const sessionId of ['toString', '__proto__', 'constructor', "1' OR 1=1", '../x', 'a\r\nb']) {
    expect((await fixture.post('/api/session/get', { sessionId })).status).toBe(404);
  }
  const polluted = await fixture.ask(
    '/api/session',
    '{"__proto__":{"x":1},"metadata":{"__proto__":{"y":1}},"unknown":1}',
  );
  await fixture.ask('/api/session/get', { sessionId: polluted['sessionId'] });
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test('an internal error is a 500 with only its ID', async () => {
  verifies('Q-12', 'Q-08', 'F135', 'S78');
  await using fixture = await openChatFixture({ replies: [says('never')] });
  const broken = vi.spyOn(fixture.served.sessions, 'get').mockRejectedValueOnce(new Error('secret in /home/me/key'));
  const response = await fixture.post('/api/session/get', { sessionId: NO_SESSION });
  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({
    error: 'Internal error',
    message: 'An internal error occurred.',
    code: 'internal',
    errorId: expect.stringMatching(/^[\da-f-]{36}$/),
  });
  broken.mockRestore();
  expect((await fixture.post('/api/session/get', { sessionId: NO_SESSION })).status).toBe(404);
});

test('the routes are POST, and the older forms do not exist', async () => {
  verifies('Q-04', 'Q-14', 'S59', 'GAP-62');
  await using fixture = await openChatFixture({ replies: [says('never')] });
  const sessionId = await fixture.newSession();
  const wrong = await fetch(`${fixture.url}/api/session/get`);
  expect(wrong.status).toBe(405);
  expect(wrong.headers.get('allow')).toBe('POST');
  expect(await wrong.json()).toMatchObject({ error: 'Method not allowed', message: expect.any(String) });
  expect((await fetch(`${fixture.url}/api/session/delete`, { method: 'DELETE' })).status).toBe(405);
  for (const path of [`/api/session/${sessionId}`, '/api/sessions']) {
    expect((await fetch(fixture.url + path)).status).toBe(404);
  }
  expect((await fetch(`${fixture.url}/api/session/${sessionId}`, { method: 'DELETE' })).status).toBe(404);
  await fixture.ask('/api/session/get', { sessionId });
});

test('a session is renamed, archived, found by words and configured', async () => {
  await using fixture = await openChatFixture({ replies: [says('hi'), says('again')] });
  const create = async (title: string) => {
    const made = await fixture.ask('/api/session', { workspaceRoot: fixture.workspace, metadata: { title } });
    return String(made['sessionId']);
  };
  const one = await create('Fix the parser');
  const other = await create('Write the docs');
  const list = async (filter: object) => {
    const { sessions, total } = await fixture.ask('/api/sessions/list', filter);
    return { ids: Array.isArray(sessions) ? sessions.map(({ id }) => id) : [], total };
  };
  const update = (change: object) => fixture.ask('/api/session/update', { sessionId: one, ...change });
  expect(await update({ title: '  Repair the lexer ' })).toMatchObject({ title: 'Repair the lexer', archived: false });
  expect(await list({ search: 'LEXER repair' })).toEqual({ ids: [one], total: 1 });
  expect(await list({ search: 'parser' })).toEqual({ ids: [], total: 0 });
  expect(await update({ archived: true })).toMatchObject({ title: 'Repair the lexer', archived: true });
  expect(await list({ archived: false })).toEqual({ ids: [other], total: 1 });
  expect(await list({ archived: true })).toEqual({ ids: [one], total: 1 });
  expect(await list({ archived: true, limit: 1, afterId: one })).toEqual({ ids: [], total: 1 });
  expect(await update({ title: null, archived: false })).toMatchObject({ title: 'Fix the parser', archived: false });

  await fixture.chat({ sessionId: one, message: 'hi' });
  expect(await update({ model: 'another-model', approvalMode: 'plan', effort: 'high' })).toMatchObject({
    model: 'another-model',
    approvalMode: 'plan',
    effort: 'high',
  });
  await fixture.chat({ sessionId: one, message: 'again' });
  expect(fixture.served.model.requests.at(-1)).toMatchObject({ model: 'another-model' });
  const reset = await update({ model: null, effort: null });
  expect(reset).not.toHaveProperty('model');
  expect(reset).not.toHaveProperty('effort');
});
