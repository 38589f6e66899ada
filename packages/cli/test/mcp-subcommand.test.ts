import { stat } from 'node:fs/promises';
import { FAULTY_MCP_SERVER as SERVER, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { type CliFixture, openCliFixture } from './cli-fixture.js';

/** Runs `qwen mcp` to its end. */
async function mcp(fixture: CliFixture, ...words: readonly string[]) {
  const program = await fixture.start(['mcp', ...words]);
  program.endInput();
  const { code } = await program.exited;
  return { code, text: program.lines.map(({ text }) => text).join('\n'), stderr: program.stderr };
}

async function list(fixture: CliFixture): Promise<unknown> {
  return JSON.parse((await mcp(fixture, 'list', '--json')).text);
}

test('a server is added, connected, changed and removed; the rest of the file stays', async () => {
  verifies('O-36', 'O-38', 'GAP-44');
  await using fixture = await openCliFixture();
  const file = await fixture.workspace.write('home/.qwen/settings.json', '{"other":{"kept":1}}');
  const added = await mcp(fixture, 'add', '-e', 'A=1=2', 'mine', process.execPath, SERVER, '--flag-of-the-server');
  expect(added).toMatchObject({ code: 0, text: `Added the MCP server mine in ${file}` });
  expect(JSON.parse(await fixture.workspace.read('home/.qwen/settings.json'))).toMatchObject({
    other: { kept: 1 },
    mcpServers: { mine: { command: process.execPath, args: [SERVER, '--flag-of-the-server'], env: { A: '1=2' } } },
  });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await list(fixture)).toMatchObject([{ name: 'mine', status: 'connected', origin: 'user', tools: 11 }]);
  await mcp(fixture, 'add', 'mine', process.execPath, SERVER, 'exits');
  const { text } = await mcp(fixture, 'list');
  expect(text).toContain(`${SERVER} exits - disconnected: `);
  expect(text).toContain('no database');
  expect(await mcp(fixture, 'remove', 'mine')).toMatchObject({ code: 0 });
  expect(await mcp(fixture, 'remove', 'mine')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no MCP server'),
  });
  expect(await list(fixture)).toEqual([]);
}, 30_000);

test.each([
  [
    ['http', 'http://127.0.0.1:1/mcp', '-H', 'X-Key: a: b'],
    { httpUrl: 'http://127.0.0.1:1/mcp', headers: { 'X-Key': 'a: b' } },
  ],
  [['-t', 'sse', 'sse', 'http://127.0.0.1:1/sse'], { url: 'http://127.0.0.1:1/sse' }],
  [['--transport', 'tcp', 'tcp', '127.0.0.1:9'], { tcp: '127.0.0.1:9' }],
  [
    ['--trust', '--timeout', '500', '--include-tools', 'a, b', 'cmd', '--', 'run', '--x'],
    {
      command: 'run',
      args: ['--x'],
      trust: true,
      timeout: 500,
      includeTools: ['a', 'b'],
    },
  ],
])('mcp add %j', async (words, config) => {
  await using fixture = await openCliFixture();
  expect(await mcp(fixture, 'add', '--scope', 'project', ...words)).toMatchObject({ code: 0 });
  const { mcpServers }: { mcpServers?: object } = JSON.parse(await fixture.workspace.read('.qwen/settings.json'));
  expect(Object.values(mcpServers ?? {})).toEqual([config]);
});

test.each([
  [['add', 'a b', 'x'], 'name'],
  [['add', 'a'], 'command or a URL'],
  [['add', '--what', 'a', 'x'], '--what'],
  [['add', '-t', 'pigeon', 'a', 'x'], 'pigeon'],
  [['add', '-e', 'NOVALUE', 'a', 'x'], 'KEY=VALUE'],
  [['add', 'a', 'ftp://x'], 'expected http'],
  [['add', '--scope', 'moon', 'a', 'x'], 'moon'],
  [['dance'], 'dance'],
  [['login', 'nobody'], 'nobody'],
])('mcp %j is refused, and nothing is written', async (words, said) => {
  await using fixture = await openCliFixture();
  const { code, stderr } = await mcp(fixture, ...words);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(said) });
  await expect(fixture.workspace.read('home/.qwen/settings.json')).rejects.toThrow('ENOENT');
});

test('an invalid settings file is left unchanged', async () => {
  await using fixture = await openCliFixture();
  await fixture.workspace.write('home/.qwen/settings.json', '{ broken');
  expect(await mcp(fixture, 'add', 'a', 'x')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('not valid JSON'),
  });
  expect(await fixture.workspace.read('home/.qwen/settings.json')).toBe('{ broken');
});

test('a server of .mcp.json starts only once approved, and a changed definition needs a new approval', async () => {
  verifies('S50', 'S94', 'S98');
  await using fixture = await openCliFixture();
  const define = (...args: readonly string[]) =>
    fixture.workspace.write('.mcp.json', JSON.stringify({ mcpServers: { repo: { command: process.execPath, args } } }));
  const refused = [{ status: 'disconnected', error: expect.stringContaining('qwen mcp approve repo') }];
  await define(SERVER);
  expect(await list(fixture)).toMatchObject(refused);
  const approved = await mcp(fixture, 'approve', 'repo');
  expect(approved.text).toBe(`Approved repo: ${process.execPath} ${SERVER}`);
  expect(await list(fixture)).toMatchObject([{ status: 'connected' }]);
  await define(SERVER, '--evil');
  expect(await list(fixture)).toMatchObject(refused);
}, 30_000);

test('the approval of a server of .mcp.json shows everything that it defines, hidden characters included', async () => {
  await using fixture = await openCliFixture();
  const env = { NODE_OPTIONS: '--require ./evil.cjs' };
  const headers = { Authorization: 'Bearer ${GH_TOKEN}' };
  const mcpServers = {
    repo: { command: process.execPath, args: [SERVER, 'a\u202eb'], env, cwd: './sub' },
    web: { httpUrl: 'https://mcp.example/', headers },
  };
  await fixture.workspace.write('.mcp.json', JSON.stringify({ mcpServers }));
  const { text } = await mcp(fixture, 'approve', 'repo', 'web');
  expect(text).toBe(
    [
      `Approved repo: ${process.execPath} ${SERVER} "a\\u202eb" {"env":${JSON.stringify(env)},"cwd":"./sub"}`,
      `Approved web: https://mcp.example/ {"headers":${JSON.stringify(headers)}}`,
    ].join('\n'),
  );
});
