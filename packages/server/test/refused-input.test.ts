import { realpath, rename, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { CHAT_API, CLOUD_API, CLOUD_PATH, PAGE_API, REMOTE_PATH } from '@qwen/protocol/server';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { createServer } from '../src/app/create-server.js';
import type { ServerOptions } from '../src/app/server-options.js';
import { toCloudSessionId } from '../src/store/session-ids.js';
import { rawExchange } from './raw-exchange.js';
import { ECHO } from './remote-fixture.js';

// What every route of a whole server refuses.

const token = 'a-token-of-at-least-16-characters';
const ID = '00000000-0000-4000-8000-000000000001';

/** Every route that takes a body, with parameters filled in. */
const withBody: readonly (readonly [string, string])[] = [
  ...[...Object.keys(CHAT_API), ...Object.keys(PAGE_API)].map((path) => ['POST', path] as const),
  ...Object.keys(CLOUD_API).flatMap((operation) => {
    const [method = '', path = ''] = operation.split(' ');
    return method === 'POST' ? [[method, CLOUD_PATH + path.replaceAll(/\{\w+\}/g, toCloudSessionId(ID))] as const] : [];
  }),
  ['PUT', `${REMOTE_PATH}/${ID}`],
  ['POST', `${REMOTE_PATH}/${ID}/lines`],
  ['POST', `${REMOTE_PATH}/${ID}/received`],
];

async function start(options: Partial<ServerOptions> = {}) {
  const server = await createServer({ store: 'memory:', token, launch: { pathToQwenExecutable: ECHO }, ...options });
  const { url, port } = await server.listen({ port: 0 });
  const send = async (method: string, path: string, body: string | Uint8Array, type = 'application/json') => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': type };
    const answer = await fetch(url + path, {
      method,
      headers,
      body: typeof body === 'string' ? body : Buffer.from(body),
    });
    const text = await answer.text();
    return { path, status: answer.status, code: /"code":"(\w+)"/.exec(text)?.[1], text };
  };
  return { server, port, send, [Symbol.asyncDispose]: () => server.close({ graceMs: 0 }) };
}

test('NUL in a body is a 400 on every route, wherever it is', async () => {
  verifies('S65');
  await using served = await start();
  expect(withBody.length).toBeGreaterThan(20);
  const ESCAPED = [
    String.raw`{"sessionId":"${ID}","message":"a\u0000b"}`,
    String.raw`{"a":[{"b":{"c\u0000":1}}]}`,
    String.raw`"\u0000"`,
  ];
  const RAW = ['{"message":"a\0b"}', '\0', '{}\0', Uint8Array.of(0x22, 0xff, 0x22)];
  // Each route gets one body of each list, and one with another charset.
  for (const [row, [method, path]] of withBody.entries()) {
    const body = ESCAPED[row % ESCAPED.length] ?? '';
    const { status, code } = await served.send(method, path, body);
    expect({ path, body, status, code }).toEqual({ path, body, status: 400, code: 'invalid_payload' });
    const raw = RAW[row % RAW.length] ?? '';
    expect(await served.send(method, path, raw)).toMatchObject({ path, status: 400 });
    expect(await served.send(method, path, '{}', 'application/json; charset=utf-16')).toMatchObject({
      path,
      status: 415,
    });
  }
  // The escaped text \u0000 is no NUL.
  const named = await served.send('POST', '/api/session', String.raw`{"metadata":{"a":"\\u0000"}}`);
  expect(named.status).toBe(200);
});

test('a URL that programs decode differently is a 400 on every route', async () => {
  verifies('S65');
  await using served = await start();
  const paths = new Set([
    ...withBody.map(([, path]) => path),
    `${CLOUD_PATH}/sessions`,
    `${CLOUD_PATH}/sessions/x/events/stream`,
    '/',
    '/health',
    '/ready',
    '/openapi.json',
    '/nothing/here',
  ]);
  const SPOILED = [
    (path: string) => `${path}%00`,
    (path: string) => `${path}/%zz`,
    (path: string) => `${path}?a=%`,
    (path: string) => `${path}?a=%4`,
    (path: string) => `${path}?a=%00`,
    (path: string) => `${path}?%ff=1`,
    (path: string) => `${path}?a=%c0%80`,
    (path: string) => `/%e2%28%a1${path}`,
  ];
  for (const [row, path] of [...paths].entries()) {
    for (const [column, spoil] of SPOILED.entries()) {
      // Every way on one path, and three ways on each of the others.
      if (path !== '/' && (row + column) % 3 !== 0) continue;
      const target = spoil(path);
      const method = column % 2 === 0 ? 'GET' : 'POST';
      const answer = await rawExchange(served.port, [`${method} ${target} HTTP/1.1`, `Host: localhost:${served.port}`]);
      expect({ target, answer: answer.slice(0, 13) }).toEqual({ target, answer: 'HTTP/1.1 400 ' });
    }
  }
});

test('no API takes a folder that cannot be a workspace', async () => {
  verifies('S42');
  await using folder = await temporaryFolder();
  const base = await realpath(folder.path);
  await symlink('/', folder.resolve('link'));
  await using served = await start({ workspace: base });
  const post = (path: string, body: object) => served.send('POST', path, JSON.stringify(body));
  const { text } = await post('/api/session', {});
  const { sessionId } = JSON.parse(text);
  for (const path of [
    '/',
    '/etc',
    '/tmp/..',
    '/proc/self/root',
    homedir(),
    '~',
    '~/.ssh',
    '~/.qwen/server',
    '/tmp',
    'link',
  ]) {
    const refused = { status: 400, code: 'path_refused' };
    expect(await post('/api/session', { workspaceRoot: path })).toMatchObject(refused);
    expect(await post('/api/chat/stream', { workspaceRoot: path, message: 'hi' })).toMatchObject(refused);
    expect(await post('/api/session/update-workspace', { sessionId, workspaceRoot: path })).toMatchObject(refused);
    expect(await post(`${CLOUD_PATH}/sessions`, { workspace_root: path })).toMatchObject(refused);
    const remote = await served.send('PUT', `${REMOTE_PATH}/${ID}`, JSON.stringify({ arguments: [], cwd: path }));
    expect(remote).toMatchObject(refused);
    const added = await post('/api/session/add-directory', { sessionId, directories: [path] });
    expect(JSON.parse(added.text)).toMatchObject({ success: false, added: [] });
  }
  expect(await served.server.core.sessions.count()).toBe(1);
});

test('a workspace that becomes a link to another place is no longer used', async () => {
  verifies('S66');
  await using folder = await temporaryFolder();
  const base = await realpath(folder.path);
  await folder.write('a/project/open.txt', 'open');
  await folder.write('b/open.txt', 'CANARY');
  await using served = await start({ workspace: `${base}/a`, workspaceRoots: [`${base}/a`] });
  const post = (path: string, body: object) => served.send('POST', path, JSON.stringify(body));
  const { sessionId } = JSON.parse((await post('/api/session', { workspaceRoot: `${base}/a/project` })).text);
  expect(await post('/api/files/read', { sessionId, path: 'open.txt' })).toMatchObject({ status: 200 });
  await rename(folder.resolve('a/project'), folder.resolve('a/moved'));
  await symlink('../b', folder.resolve('a/project'));
  const cloudEvents = `${CLOUD_PATH}/sessions/${toCloudSessionId(sessionId)}/events`;
  for (const [path, body] of [
    ['/api/files/read', { path: 'open.txt' }],
    ['/api/files/write', { path: 'new.txt', content: '' }],
    ['/api/files/search', { pattern: 'CANARY' }],
    ['/api/files/list', { path: '.' }],
    ['/api/hints', { trigger: 'at', text: '@op', cursor: 3 }],
    ['/api/commands/list', {}],
    ['/api/commands/execute', { command: '/help' }],
    ['/api/chat/stream', { message: 'hi' }],
    [cloudEvents, { events: [{ type: 'user.message', content: [{ type: 'text', text: 'hi' }] }] }],
  ] as const) {
    const { sessionId: _, ...own } = { sessionId, ...body };
    const answer = await post(path, path === cloudEvents ? own : { sessionId, ...body });
    expect(answer).toMatchObject({ path, status: 400, code: 'path_refused' });
  }
});

test('a server does not start with an invalid workspace or limit', async () => {
  verifies('S42');
  for (const options of [
    { workspace: '/' },
    { workspace: homedir() },
    { workspace: '/nowhere/at/all' },
    { workspaceRoots: ['/nowhere/at/all'] },
    { workspaceRoots: ['/dev/null'] },
    { workspace: process.cwd(), workspaceRoots: [`${process.cwd()}/packages`] },
  ]) {
    await expect(createServer({ store: 'memory:', token, ...options })).rejects.toMatchObject({ code: 'usage' });
  }
});

test('file routes neither show nor change files with secrets, nor change files that run programs', async () => {
  verifies('S68');
  await using folder = await temporaryFolder();
  const base = await realpath(folder.path);
  const secrets = [
    '.ssh/id_ed25519',
    '.netrc',
    '.aws/credentials',
    'a/.git-credentials',
    '.config/gh/hosts.yml',
    '.pgpass',
  ];
  for (const path of secrets) await folder.write(path, 'CANARY');
  await symlink('.netrc', folder.resolve('innocent'));
  await using served = await start({ workspace: base });
  const post = (path: string, body: object) => served.send('POST', path, JSON.stringify(body));
  const { sessionId } = JSON.parse((await post('/api/session', {})).text);
  for (const path of [...secrets, 'innocent', './a/../.netrc', `${base}/.netrc`]) {
    expect(await post('/api/files/read', { sessionId, path })).toMatchObject({
      status: 403,
      code: 'permission_denied',
    });
    expect(await post('/api/files/write', { sessionId, path, content: '' })).toMatchObject({ status: 403 });
  }
  expect(await post('/api/files/search', { sessionId, pattern: 'CANARY' })).toMatchObject({
    status: 200,
    text: expect.stringContaining('"results":""'),
  });
  expect((await post('/api/files/list', { sessionId, path: '.' })).text).not.toMatch(/netrc|\.ssh|\.aws|pgpass/);
  const hints = await post('/api/hints', { sessionId, trigger: 'at', text: '@netrc', cursor: 6 });
  expect(hints).toMatchObject({ status: 200, text: expect.not.stringContaining('.netrc') });
  for (const path of [
    '.git/hooks/pre-commit',
    '.gitattributes',
    '.pre-commit-config.yaml',
    'lefthook.yml',
    '.pdbrc',
    'src/.Rprofile',
    '.gdbinit',
    '.mcp.json',
  ]) {
    expect(await post('/api/files/write', { sessionId, path, content: '' })).toMatchObject({ status: 403 });
  }
});

test('a mode that a request cannot set is refused instead of ignored', async () => {
  await using folder = await temporaryFolder();
  await using served = await start({ workspace: folder.path });
  const post = (path: string, body: object) => served.send('POST', path, JSON.stringify(body));
  const refused = { status: 400, code: 'invalid_payload' };
  for (const name of ['approvalmode', 'approval_mode', 'ApprovalMode', 'permissionMode', 'permission-mode']) {
    expect(await post('/api/session', { [name]: 'plan' })).toMatchObject(refused);
    expect(await post('/api/chat/stream', { [name]: 'plan', message: 'hi' })).toMatchObject(refused);
  }
  expect(await post(`${CLOUD_PATH}/sessions`, { approvalMode: 'plan' })).toMatchObject(refused);
  expect(await served.server.core.sessions.count()).toBe(0);
  const { sessionId } = JSON.parse((await post('/api/session', { approvalMode: 'default' })).text);
  const late = { sessionId, workspaceRoot: folder.path, approvalMode: 'plan' };
  expect(await post('/api/session/update-workspace', late)).toMatchObject(refused);
  expect(await post('/api/chat/stream', { sessionId, approvalMode: 'plan', message: 'hi' })).toMatchObject(refused);
  expect(await post('/api/chat/stream', { sessionId, approvalMode: 'default', message: 'hi' })).toMatchObject({
    status: 200,
  });
});
